// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

// The check of an option that counts something. The library's own check would name the range of all numbers.
inline CLI::Validator at_least_one() {
  return {[](const std::string& text) {
            const bool whole = !text.empty() && std::ranges::all_of(text, [](char c) {
              return c >= '0' && c <= '9';
            });
            const bool counts = whole && text.find_first_not_of('0') != std::string::npos;
            return counts ? std::string() : "expected a whole number of at least 1, found " + text;
          },
          "POSITIVE"};
}
