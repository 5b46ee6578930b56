// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "mechanisms/mechanism.h"

namespace attend {

std::string_view kind_name(Kind kind) {
  static constexpr std::array<std::string_view, 8> names{
      "structure", "query", "score", "mask", "position", "alignment", "dimensionality", "heads"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view short_id(const Mechanism& mechanism) {
  for (const std::string_view prefix : {"mask-", "pos-", "query-"}) {
    if (mechanism.id.starts_with(prefix)) return mechanism.id.substr(prefix.size());
  }
  return {};
}

const Mechanism* find_mechanism(Kind kind, std::string_view id) {
  const Mechanism* by_alias = nullptr;
  for (const Mechanism* mechanism : all_mechanisms()) {
    if (mechanism->kind() != kind) continue;
    if (mechanism->id == id) return mechanism;
    if (short_id(*mechanism) == id && !id.empty()) by_alias = mechanism;
    for (const std::string_view alias : mechanism->aliases) {
      if (alias == id) by_alias = mechanism;
    }
  }
  return by_alias;
}

}  // namespace attend
