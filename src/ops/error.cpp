// SPDX-License-Identifier: Apache-2.0
#include "ops/error.h"

namespace attend {
namespace {

thread_local const ErrorScope* innermost = nullptr;

// Names of a document may hold control characters. The message is one line and a C string, which would end at a NUL.
// Therefore these characters are written as JSON writes them.
std::string without_controls(const std::string& message) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (const char c : message) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x20) {
      text += c;
    } else {
      text += "\\u00";
      text += digits[code >> 4U];
      text += digits[code & 15U];
    }
  }
  return text;
}

}  // namespace

Error::Error(const std::string& where, const std::string& message)
    : std::runtime_error(
          without_controls(where.empty() && innermost != nullptr && !innermost->id_.empty()
                               ? "\"" + std::string(innermost->id_) + "\": " + message
                               : message)),
      path(where.empty() && innermost != nullptr ? std::string(innermost->path_) : where) {}

ErrorScope::ErrorScope(std::string_view path, std::string_view id)
    : path_(path), id_(id), outer_(innermost) {
  innermost = this;
}

ErrorScope::~ErrorScope() { innermost = outer_; }

void refuse(const std::string& message) { throw Error(message); }
void refuse(const std::string& where, const std::string& message) { throw Error(where, message); }

}  // namespace attend
