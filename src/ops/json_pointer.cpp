// SPDX-License-Identifier: Apache-2.0
#include "ops/json_pointer.h"

namespace attend {

std::string as_pointer_part(std::string_view name) {
  std::string part;
  for (const char c : name) part += c == '~' ? "~0" : c == '/' ? "~1" : std::string(1, c);
  return part;
}

std::string from_pointer_part(std::string_view part) {
  std::string name;
  for (std::size_t i = 0; i < part.size(); ++i) {
    const bool escaped = part[i] == '~' && i + 1 < part.size();
    name += !escaped ? part[i] : part[++i] == '1' ? '/' : '~';
  }
  return name;
}

}  // namespace attend
