// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace attend {

// What is wrong with a document: the JSON pointer of the field, and a sentence about what was expected and found.
// Layers below the document leave `path` empty: then it is that of the innermost ErrorScope, and the sentence begins
// with that scope's mechanism.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : Error("", message) {}
  Error(const std::string& where, const std::string& message);

  std::string path;
};

// Throws an Error, with the path of the innermost ErrorScope unless a path is given. A function
// of its own, so that a check costs its caller one comparison and one call.
[[noreturn]] void refuse(const std::string& message);
[[noreturn]] void refuse(const std::string& where, const std::string& message);

// While it lives, the work is on the field at `path`, of the mechanism `id` (or of none, if empty).
// Known when an error is made, so that no caller has to catch it only to add where it was.
// The page's module does the same: it has C++ exceptions (docs/adr/0027-clear-before-small.md).
class ErrorScope {
 public:
  ErrorScope(std::string_view path, std::string_view id);
  ~ErrorScope();
  ErrorScope(const ErrorScope&) = delete;
  ErrorScope& operator=(const ErrorScope&) = delete;
  ErrorScope(ErrorScope&&) = delete;
  ErrorScope& operator=(ErrorScope&&) = delete;

 private:
  friend class Error;
  std::string_view path_;
  std::string_view id_;
  const ErrorScope* outer_;
};

}  // namespace attend
