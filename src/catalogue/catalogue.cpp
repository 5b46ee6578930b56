// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "catalogue/mechanism.h"

namespace attend {

std::string_view kind_name(Kind kind) {
  static constexpr std::array<std::string_view, kind_count> names{
      "structure",      "query", "key",       "score",  "mask",    "position", "alignment",
      "dimensionality", "heads", "aggregate", "output", "penalty", "cell"};
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view slot_name(Kind kind) {
  return kind == Kind::penalty ? "penalties" : kind_name(kind);
}

namespace {
bool reads_query(const Mechanism& mechanism) {
  const auto* score = std::get_if<Score>(&mechanism.behaviour);
  return score != nullptr ? score->reads_query : mechanism.needs_query;
}
}  // namespace

std::vector<Ban> exclusions_of(const Mechanism& mechanism) {
  std::vector<Ban> list;
  for (const Exclusion& e : mechanism.excludes) list.push_back({e.slot, e.ids, e.only, e.reason});
  if (mechanism.needs_all_rows) {
    std::vector<std::string_view> ids;
    for (const Mechanism* other : all_mechanisms()) {
      if (other->kind() == Kind::score && other->recurrent) ids.push_back(other->id);
    }
    list.push_back({"score", ids, false,
                    "It weighs all rows together, and this score makes them one after another."});
  }
  if (mechanism.needs_product) {
    std::vector<std::string_view> products, by_feature;
    for (const Mechanism* other : all_mechanisms()) {
      const auto* score = std::get_if<Score>(&other->behaviour);
      if (score != nullptr && score->scale != nullptr) products.push_back(other->id);
      const auto* features = std::get_if<Dimensionality>(&other->behaviour);
      if (features != nullptr && features->scores != nullptr) by_feature.push_back(other->id);
    }
    list.push_back({"score", products, true,
                    "It joins the product of query and key: choose a score that is one."});
    list.push_back({"dimensionality", by_feature, false,
                    "A score per feature has no product of query and key to join."});
  }
  if (!mechanism.drops_query) return list;
  for (std::size_t kind = 0; kind < kind_count; ++kind) {
    std::vector<std::string_view> ids;
    for (const Mechanism* other : all_mechanisms()) {
      if (other->kind() == static_cast<Kind>(kind) && reads_query(*other)) ids.push_back(other->id);
    }
    if (!ids.empty())
      list.push_back({slot_name(static_cast<Kind>(kind)), ids, false,
                      "It reads the query, and here there is none."});
  }
  return list;
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
