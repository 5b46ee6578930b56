// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace attend {

struct ExampleOptions {
  std::size_t count = 10;  // examples, where no step is asked for
  bool held_out = false;   // those that no step learns from
  bool words = false;      // one line: the words of each field, in the order of their ids
  std::optional<std::uint64_t> step;  // the examples of this step, from 1
  std::uint64_t steps = 1;            // and of the steps behind it
  bool draws = false;                 // and the random numbers of each step, one line for each step
  std::function<void(const std::string&)> line;
};

// Writes the examples that a document's `training` learns from, one JSON line for each. Throws Error.
void write_examples(std::string_view document, const ExampleOptions& options);

// The document that a file of weights or a checkpoint carries; its weights come from the file `name`. Throws Error.
std::string document_in_weights(std::string_view bytes, const std::string& name);

}  // namespace attend
