// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "catalogue/mechanism.h"
#include "catalogue/parts/layers/causal_form.h"

namespace attend {

std::string_view kind_name(Kind kind) {
  static constexpr std::array<std::string_view, kind_count> names{
      "structure", "query",          "key",   "score",     "mask",   "position",
      "alignment", "dimensionality", "heads", "aggregate", "output", "penalty",
      "cell",      "core",           "qk",    "value"};
  static_assert(!names.back().empty(), "a kind has no name");
  return names.at(static_cast<std::size_t>(kind));
}

std::string_view slot_name(Kind kind) {
  return kind == Kind::penalty ? "penalties" : kind_name(kind);
}

namespace {
bool reads_query(const Mechanism& mechanism) {
  const auto* score = std::get_if<Score>(&mechanism.behaviour);
  if (score != nullptr) return score->reads_query;
  return mechanism.needs_query || mechanism.kind() == Kind::core;
}

// Whether it has something to do with single scores or weights, which a core does not make.
bool reads_scores(const Mechanism& mechanism) {
  const auto* position = std::get_if<Position>(&mechanism.behaviour);
  if (position != nullptr) return position->score != nullptr || position->context != nullptr;
  const auto* features = std::get_if<Dimensionality>(&mechanism.behaviour);
  if (features != nullptr) return features->scores != nullptr;
  const auto* heads = std::get_if<Heads>(&mechanism.behaviour);
  if (heads != nullptr && (!heads->alignments.empty() || heads->scores || heads->weights))
    return true;
  const bool wants_score =
      std::any_of(mechanism.excludes.begin(), mechanism.excludes.end(),
                  [](const Exclusion& e) { return e.slot == "score" && e.only; });
  return mechanism.needs_weights || (heads != nullptr && wants_score);
}

bool is_rotation(const Mechanism& mechanism) {
  const auto* position = std::get_if<Position>(&mechanism.behaviour);
  return position != nullptr && position->projected != nullptr;
}

bool honours(const Core& core, std::string_view mask) {
  return std::find(core.masks.begin(), core.masks.end(), mask) != core.masks.end();
}

bool reads_keys(const Mechanism& mechanism) {
  return std::any_of(mechanism.roles.begin(), mechanism.roles.end(),
                     [](const Role& role) { return role.name == "key" && role.required; });
}

std::vector<Ban> bans_of(const Core& core) {
  std::vector<Ban> list;
  if (core.shares_keys) {
    std::vector<std::string_view> ids;
    for (const Mechanism* other : all_mechanisms()) {
      if (other->kind() == Kind::query && reads_keys(*other)) ids.push_back(other->id);
    }
    list.push_back({"query", ids, false, "keys-are-queries"_reason});
  }
  for (const std::string_view slot : {"score", "alignment", "aggregate"})
    list.push_back({slot, {}, true, "core-is-whole"_reason});
  list.push_back({"penalties", {}, true, "core-makes-no-weights"_reason});
  for (const Kind kind : {Kind::position, Kind::dimensionality, Kind::heads, Kind::output}) {
    std::vector<std::string_view> ids;
    for (const Mechanism* other : all_mechanisms()) {
      if (other->kind() == kind && reads_scores(*other)) ids.push_back(other->id);
    }
    list.push_back({slot_name(kind), ids, false, "core-makes-no-scores"_reason});
  }
  std::vector<std::string_view> masks;
  const bool causal = core.never_causal.empty();
  for (const Mechanism* other : all_mechanisms()) {
    if (other->kind() != Kind::mask || honours(core, other->id)) continue;
    if (other->id == "mask-causal" && !causal)
      list.push_back({"mask", {other->id}, false, core.never_causal});
    else
      masks.push_back(other->id);
  }
  list.push_back({"mask", masks, false,
                  causal ? "core-knows-causal-only"_reason : "core-knows-no-pairs"_reason});
  return list;
}
}  // namespace

std::vector<Ban> exclusions_of(const Mechanism& mechanism) {
  std::vector<Ban> list;
  for (const Exclusion& e : mechanism.excludes) {
    if (e.slot != causal_switch) list.push_back({e.slot, e.ids, e.only, e.reason});
  }
  if (is_rotation(mechanism)) {
    std::vector<std::string_view> ids;
    for (const Mechanism* other : all_mechanisms()) {
      if (is_rotation(*other)) ids.push_back(other->id);
    }
    list.push_back({"position", ids, false, "rotated-once"_reason});
  }
  if (mechanism.needs_all_rows) {
    std::vector<std::string_view> ids;
    for (const Mechanism* other : all_mechanisms()) {
      if (other->kind() == Kind::score && other->recurrent) ids.push_back(other->id);
    }
    list.push_back({"score", ids, false, "needs-all-rows"_reason});
  }
  if (mechanism.needs_product) {
    std::vector<std::string_view> products, by_feature;
    for (const Mechanism* other : all_mechanisms()) {
      const auto* score = std::get_if<Score>(&other->behaviour);
      if (score != nullptr && score->scale != nullptr) products.push_back(other->id);
      const auto* features = std::get_if<Dimensionality>(&other->behaviour);
      if (features != nullptr && features->scores != nullptr) by_feature.push_back(other->id);
    }
    list.push_back({"score", products, true, "needs-product"_reason});
    list.push_back({"dimensionality", by_feature, false, "features-have-no-product"_reason});
  }
  const auto* heads = std::get_if<Heads>(&mechanism.behaviour);
  if (heads != nullptr && heads->streams) {
    for (const Kind kind : {Kind::score, Kind::alignment}) {
      std::vector<std::string_view> ids;
      for (const Mechanism* other : all_mechanisms()) {
        if (other->kind() == kind && other->recurrent) ids.push_back(other->id);
      }
      list.push_back({slot_name(kind), ids, false, "streams-have-no-past"_reason});
    }
  }
  if (const auto* core = std::get_if<Core>(&mechanism.behaviour)) {
    const std::vector<Ban> bans = bans_of(*core);
    list.insert(list.end(), bans.begin(), bans.end());
  }
  if (!mechanism.drops_query) return list;
  for (std::size_t kind = 0; kind < kind_count; ++kind) {
    std::vector<std::string_view> ids;
    for (const Mechanism* other : all_mechanisms()) {
      if (other->kind() == static_cast<Kind>(kind) && reads_query(*other)) ids.push_back(other->id);
    }
    if (!ids.empty())
      list.push_back({slot_name(static_cast<Kind>(kind)), ids, false, "no-query"_reason});
  }
  return list;
}

std::string_view short_id(const Mechanism& mechanism) {
  for (const std::string_view prefix : {"mask-", "pos-", "query-"}) {
    if (mechanism.id.starts_with(prefix)) return mechanism.id.substr(prefix.size());
  }
  return {};
}

const Mechanism& general_module() { return *find_mechanism(Kind::structure, "attention"); }

const Role* role_of_words(const Mechanism& mechanism) {
  const auto found = std::find_if(mechanism.roles.begin(), mechanism.roles.end(),
                                  [](const Role& role) { return role.words; });
  return found == mechanism.roles.end() ? nullptr : found;
}

const Knob* knob_of(const Mechanism& mechanism, Knob::Role role) {
  const auto found = std::find_if(mechanism.knobs.begin(), mechanism.knobs.end(),
                                  [&](const Knob& knob) { return knob.role == role; });
  return found == mechanism.knobs.end() ? nullptr : found;
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
