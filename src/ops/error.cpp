// SPDX-License-Identifier: Apache-2.0
#include "ops/error.h"

namespace attend {
namespace {

thread_local const ErrorScope* innermost = nullptr;

// The message is a C string: what lies behind a NUL of the document would be lost.
std::string without_nul(std::string message) {
  for (std::size_t at = message.find('\0'); at != std::string::npos; at = message.find('\0', at))
    message.replace(at, 1, "\\u0000");
  return message;
}

}  // namespace

Error::Error(const std::string& where, const std::string& message)
    : std::runtime_error(
          without_nul(where.empty() && innermost != nullptr && !innermost->id_.empty()
                          ? "[" + std::string(innermost->id_) + "] " + message
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
