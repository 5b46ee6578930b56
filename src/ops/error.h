// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace attend {

// What a document did wrong: the JSON pointer of the field, and a sentence saying what was expected
// and found. Layers below the document leave `path` empty: then it is that of the innermost
// ErrorScope, whose mechanism the sentence names first.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : Error("", message) {}
  Error(const std::string& where, const std::string& message);

  std::string path;
};

// Throws an Error. The page's module has bindings/refuse.cpp in place of refuse.cpp: it leaves by
// way of JavaScript.
[[noreturn]] void refuse(const std::string& message);
[[noreturn]] void refuse(const std::string& where, const std::string& message);

// While it lives, the work is on the field at `path`, of the mechanism `id` (or of none, if empty).
// Known when an error is made, not added by whoever catches it: as WebAssembly nobody does
// (docs/adr/0018-size.md).
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
