// SPDX-License-Identifier: Apache-2.0
#include "ops/near_names.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace attend {
namespace {

// How many letters are to be added, removed or replaced to make one name of the other.
std::size_t letters_between(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t corner = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = corner + (a[i - 1] == b[j - 1] ? 0 : 1);
      corner = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string names_near(const std::string& name, std::vector<std::string> names, std::size_t most) {
  const auto distance = [&](const std::string& other) {
    const bool part =
        !name.empty() && !other.empty() &&
        (other.find(name) != std::string::npos || name.find(other) != std::string::npos);
    return std::pair(!part, letters_between(name.substr(0, 100), other.substr(0, 100)));
  };
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return distance(a) < distance(b);
  });
  std::string list;
  std::set<std::string> listed;
  for (const std::string& one : names) {
    if (listed.size() == most || !listed.insert(one).second) continue;
    list += (list.empty() ? "" : ", ") + one;
  }
  return list;
}

std::string names_for(const std::string& name, const std::vector<std::string>& names,
                      std::string_view all) {
  constexpr std::size_t few = 8;
  if (names.size() > few) return "closest are " + names_near(name, names);
  std::string list;
  for (const std::string& one : names) list += (list.empty() ? "" : ", ") + one;
  return std::string(all) + (list.empty() ? "none" : list);
}

}  // namespace attend
