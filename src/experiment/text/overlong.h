// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace attend {

// The longest value of a text too long to be read: its place (a JSON pointer of at most two
// parts) and how many bytes it has.
struct LongestValue {
  std::string path;
  std::size_t bytes = 0;
};

// Looks at brackets, commas and quotes only, so that any text is fast to go through; of what is not
// JSON it says nothing that is of use.
LongestValue longest_value(std::string_view text);

}  // namespace attend
