// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/frozen.h"

#include <algorithm>

#include "ops/error.h"
#include "ops/near_names.h"

namespace attend {

bool fits_pattern(std::string_view name, std::string_view pattern) {
  std::size_t n = 0, p = 0;
  std::size_t star = std::string_view::npos, after = 0;  // the last star, and where its letters end
  while (n < name.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after = n;
    } else if (p < pattern.size() && pattern[p] == name[n]) {
      ++p;
      ++n;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      n = ++after;
    } else {
      return false;
    }
  }
  return std::all_of(pattern.begin() + static_cast<long>(p), pattern.end(),
                     [](char c) { return c == '*'; });
}

bool is_frozen(const std::string& name, const std::vector<std::string>& patterns) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return fits_pattern(name, pattern); });
}

std::vector<std::string> without_frozen(const std::vector<std::string>& learned,
                                        const std::vector<std::string>& known,
                                        const std::vector<std::string>& frozen) {
  const auto fits_some = [](const std::vector<std::string>& names, const std::string& pattern) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return fits_pattern(name, pattern); });
  };
  for (std::size_t i = 0; i < frozen.size(); ++i) {
    if (fits_some(known, frozen[i])) continue;
    std::string letters = frozen[i];
    std::erase(letters, '*');
    refuse("/training/frozen/" + std::to_string(i),
           "no parameter fits \"" + frozen[i] + "\"; " + names_for(letters, known, "there are "));
  }
  std::vector<std::string> left;
  for (const std::string& name : learned) {
    if (!is_frozen(name, frozen)) left.push_back(name);
  }
  if (left.empty() && !learned.empty())
    refuse("/training/frozen",
           "every parameter that could learn is frozen; leave at least one out of the list");
  return left;
}

}  // namespace attend
