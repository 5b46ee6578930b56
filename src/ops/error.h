// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace attend {

// What a document did wrong: the JSON pointer of the field, and a sentence saying what was expected
// and found. Layers below the document leave `path` empty; the layer that knows the field fills it
// in.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
  Error(std::string where, const std::string& message)
      : std::runtime_error(message), path(std::move(where)) {}

  std::string path;
};

}  // namespace attend
