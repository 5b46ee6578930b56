// SPDX-License-Identifier: Apache-2.0
#include "assembly/recording.h"

namespace attend {

const Leaf* Recording::leaf(std::string_view key) const {
  const auto found = places.find(key);
  return found == places.end() ? nullptr : &leaves[found->second];
}

void Recording::relabel(const std::string& input, const std::vector<std::string>& now) {
  tokens[input] = now;
  for (auto& [symbol, list] : labels) {
    const auto whose = labelled.find(symbol);
    if (whose != labelled.end() && whose->second == input) list = now;
  }
}

}  // namespace attend
