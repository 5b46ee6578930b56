// SPDX-License-Identifier: Apache-2.0
#include "ops/decimal.h"

#include <array>
#include <charconv>
#include <cstdio>

namespace attend::decimal {

std::string fixed(double value, int digits) {
  std::array<char, 400> buffer{};  // the largest number has 309 digits
  (void)std::snprintf(buffer.data(), buffer.size(), "%.*f", digits, value);
  return buffer.data();
}

std::string scientific(double value, int digits) {
  std::array<char, 48> buffer{};
  (void)std::snprintf(buffer.data(), buffer.size(), "%.*e", digits, value);
  return buffer.data();
}

std::string shortest(double value) {
  std::array<char, 40> buffer{};
  char* const end = buffer.data() + buffer.size();
  return {buffer.data(),
          std::to_chars(buffer.data(), end, value, std::chars_format::scientific).ptr};
}

}  // namespace attend::decimal
