// SPDX-License-Identifier: Apache-2.0
#include "tests/experiment/combinations.h"

#include <algorithm>

#include "catalogue/dimensions.h"
#include "experiment/text/words.h"
#include "ops/random.h"

namespace attend::testing {
namespace {

using Chosen = std::vector<std::pair<std::string, const Mechanism*>>;

template <class Test>
bool some(const Chosen& chosen, Test test) {
  return std::any_of(chosen.begin(), chosen.end(),
                     [&](const auto& one) { return test(*one.second); });
}

bool reads(const Mechanism& mechanism, std::string_view name) {
  return std::any_of(mechanism.roles.begin(), mechanism.roles.end(),
                     [&](const Role& role) { return role.name == name; });
}

// Every extent is 5 for tokens and 6 for features, so that whatever must be equal is. A mask may need another number of
// tokens, an even one.
constexpr std::size_t usual_tokens = 5;

std::size_t tokens(const Chosen& chosen) {
  for (const auto& [slot, mechanism] : chosen) {
    for (const Extent& own : mechanism->extents)
      if (mechanism->kind() == Kind::mask && own.symbol == "n") return own.size;
  }
  return usual_tokens;
}

std::size_t extent(const Chosen& chosen, std::string_view symbol) {
  // Two queries together are as wide as one.
  for (const auto& [slot, mechanism] : chosen) {
    for (const Extent& own : mechanism->extents) {
      if (own.symbol == symbol && slot == "query" && symbol.starts_with("dq")) return own.size;
    }
  }
  // A query that the module makes, because it reads keys and no query, is one row.
  const bool one_row = some(chosen, [](const Mechanism& mechanism) {
    return mechanism.kind() == Kind::query && reads(mechanism, "key") && !reads(mechanism, "query");
  });
  if (symbol == "m") return one_row ? 1 : tokens(chosen);
  if (symbol == "n" || symbol == "n2") return tokens(chosen);
  return symbol == "M" ? 2 : 6;
}

Json random_role(const Chosen& chosen, const Role& role, std::uint64_t seed) {
  const RandomStream stream(seed, "role:" + std::string(role.name));
  Shape shape;
  for (const std::string_view word : symbols_in(role.shape.substr(0, role.shape.find('|'))))
    shape.push_back(extent(chosen, word));
  std::vector<double> data(element_count(shape));
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = stream.normal(i);
  return to_json({shape, data});
}

Json member_of(const Mechanism& mechanism) {
  Json json = Json::parse("{" + std::string(mechanism.example) + "}");
  json["type"] = std::string(mechanism.id);
  // Sizes of an example need not fit here; a core's defaults always do.
  if (mechanism.kind() == Kind::core) {
    json = Json::object({{"type", std::string(mechanism.id)}});
    const std::string_view keys = std::get<Core>(mechanism.behaviour).keys_per_query;
    if (!keys.empty()) json[std::string(keys)] = 1;  // modules here have as many keys as queries
  }
  return json;
}

// A table in an example has the usual number of tokens.
bool has_usual_table(const Chosen& chosen) {
  return some(chosen, [](const Mechanism& mechanism) {
    return std::any_of(mechanism.knobs.begin(), mechanism.knobs.end(), [](const Knob& one) {
      return one.type == Knob::Type::matrix && !one.or_number;
    });
  });
}

bool has_memory(const Chosen& chosen) {
  return some(chosen, [](const Mechanism& mechanism) { return reads(mechanism, "memory"); });
}

bool has_table(const Chosen& chosen) {
  return some(chosen, [](const Mechanism& mechanism) {
    const bool role = std::any_of(mechanism.roles.begin(), mechanism.roles.end(),
                                  [](const Role& one) { return one.shape == "m n"; });
    const bool knob = std::any_of(mechanism.knobs.begin(), mechanism.knobs.end(),
                                  [](const Knob& one) { return one.type == Knob::Type::matrix; });
    return role || (knob && mechanism.kind() == Kind::mask);
  });
}

// The values of another module: those of heads, of a memory and of other keys have another shape than the input here.
bool has_values_beside(const Chosen& chosen) {
  const bool other = std::any_of(chosen.begin(), chosen.end(), [](const auto& one) {
    return one.first == "heads" || one.first == "key";
  });
  const bool reads = some(chosen, [](const Mechanism& mechanism) {
    return std::holds_alternative<Value>(mechanism.behaviour) && mechanism.roles.size() > 0;
  });
  return reads && (other || has_memory(chosen));
}

// Heads that only say how many rows the score has: as many as its filters, whatever the keys.
bool heads_make_rows(const Chosen& chosen) {
  return some(chosen, [](const Mechanism& mechanism) {
    const auto* heads = std::get_if<Heads>(&mechanism.behaviour);
    return heads != nullptr && heads->split == nullptr && mechanism.knobs.size() > 0;
  });
}

const List<Slot>& slots() { return find_mechanism(Kind::structure, "attention")->slots; }

// Below `bound`, by what the draw is for.
std::size_t draw_below(const std::string& what, std::uint64_t round, std::size_t bound) {
  return static_cast<std::size_t>(RandomStream(round, what).below(0, bound));
}

const Mechanism* draw_one(Kind kind, const std::string& what, std::uint64_t round) {
  const Mechanism* winner = nullptr;
  std::size_t largest = 0;
  for (const Mechanism* candidate : of_kind(kind)) {
    const std::size_t drawn = 1 + draw_below(what + std::string(candidate->id), round, 1U << 30U);
    if (drawn > largest) winner = candidate;
    largest = std::max(largest, drawn);
  }
  return winner;
}

// Leaves out what stands in a slot that another mechanism wants empty.
void empty_slots(Chosen& chosen, const Mechanism& around) {
  const Chosen all = chosen;
  for (const auto& [slot, mechanism] : all) {
    for (const Ban& ban : exclusions_of(*mechanism)) {
      if (!ban.only || !ban.ids.empty()) continue;
      std::erase_if(
          chosen, [&](const auto& one) { return one.first == ban.slot && one.second != &around; });
    }
  }
}

}  // namespace

bool Combination::has(std::string_view slot) const {
  return std::any_of(chosen.begin(), chosen.end(),
                     [&](const auto& one) { return one.first == slot; });
}

bool Combination::all(bool Laws::*law) const {
  return !some(chosen, [&](const Mechanism& mechanism) { return !(mechanism.laws.*law); });
}

bool Combination::by_gradient() const {
  return !some(chosen, [](const Mechanism& mechanism) { return !mechanism.differentiable; });
}

bool Combination::is_square() const {
  return some(chosen, [](const Mechanism& mechanism) {
    return std::any_of(mechanism.extents.begin(), mechanism.extents.end(),
                       [](const Extent& extent) { return extent.symbol == "m"; });
  });
}

bool Combination::sizes_fit() const {
  // The rows of a memory are further keys, and a table for each pair has no column for them.
  const bool memory = has_memory(chosen);
  const std::size_t keys = extent(chosen, "n") + (memory ? extent(chosen, "M") : 0);
  if (tokens(chosen) != usual_tokens && has_usual_table(chosen)) return false;
  return !(is_square() && extent(chosen, "m") != keys) && !(memory && has_table(chosen)) &&
         !has_values_beside(chosen) && !(is_square() && heads_make_rows(chosen));
}

std::string Combination::text() const {
  std::string text;
  for (const auto& [slot, mechanism] : chosen)
    text += (text.empty() ? "" : " ") + slot + ":" + std::string(mechanism->id);
  return text;
}

std::uint64_t Combination::seed() const { return 1 + draw_below(text(), 0, 1'000'000); }

std::string Combination::forbidden() const {
  for (const auto& one : chosen) {
    for (const Ban& e : exclusions_of(*one.second)) {
      for (const auto& beside : chosen) {
        const auto& [other_slot, other] = beside;
        if (other_slot != e.slot || &beside == &one) continue;
        const bool listed = std::find(e.ids.begin(), e.ids.end(), other->id) != e.ids.end();
        if (listed != e.only) return sentence_of_reason(e.reason);
      }
    }
  }
  return {};
}

Json Combination::document() const {
  Json document{{"schema", "attention-playground/1"}, {"seed", seed()}, {"inputs", Json::object()}};
  document["mechanism"] = {{"type", "attention"}};
  for (const auto& [slot, mechanism] : chosen) {
    Json& place = document["mechanism"][slot];
    const bool list = slot == "mask" || slot == "position" || slot == "penalties";
    if (list) place.push_back(member_of(*mechanism));
    if (!list) place = member_of(*mechanism);
    for (const Role& role : mechanism->roles)
      document["inputs"][std::string(role.name)] = random_role(chosen, role, seed());
  }
  const bool shared = some(chosen, [](const Mechanism& mechanism) {
    const auto* core = std::get_if<Core>(&mechanism.behaviour);
    return core != nullptr && core->shares_keys;
  });
  if (shared) document["inputs"].erase("key");
  return document;
}

Mechanisms every_part() {
  Mechanisms parts;
  for (const Slot& slot : slots()) {
    const Mechanisms some = of_kind(slot.kind);
    parts.insert(parts.end(), some.begin(), some.end());
  }
  return parts;
}

Combination combination(const Mechanism& around, std::uint64_t round) {
  Combination drawn;
  for (const Slot& slot : slots()) {
    const std::string what = case_name(around) + " " + std::string(slot.name) + " ";
    const bool own = slot.kind == around.kind(), needed = !slot.fallback.empty();
    if (own) drawn.chosen.emplace_back(slot.name, &around);
    if (own && !slot.list) continue;
    if (slot.kind == Kind::core) continue;  // it would leave no score to draw
    const std::size_t dice = draw_below(what, round, 3);
    const std::size_t count = needed ? 1 : slot.list ? dice : dice / 2;
    for (std::size_t i = own ? 1 : 0; i < count; ++i)
      drawn.chosen.emplace_back(slot.name,
                                draw_one(slot.kind, what + std::to_string(i) + " ", round));
  }
  if (round % 4 != 0) empty_slots(drawn.chosen, around);
  return drawn;
}

}  // namespace attend::testing
