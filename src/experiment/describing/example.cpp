// SPDX-License-Identifier: Apache-2.0
#include "experiment/describing/example.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "catalogue/dimensions.h"
#include "experiment/reading/document.h"
#include "ops/random.h"

namespace attend {
namespace {

// Extents that tell the axes apart; widths that are compared are equal.
constexpr std::array<Extent, 9> usual_extents{{{"m", 4},
                                               {"n", 5},
                                               {"n1", 4},
                                               {"n2", 5},
                                               {"dv", 3},
                                               {"dv1", 3},
                                               {"dv2", 2},
                                               {"d1", 6},
                                               {"d2", 7}}};

std::size_t extent_in(std::span<const Extent> list, std::string_view symbol,
                      std::size_t otherwise) {
  for (const Extent& extent : list) {
    if (extent.symbol == symbol) return extent.size;
  }
  return otherwise;
}

Json random_input(std::span<const Mechanism* const> sizes, const Role& role, std::uint64_t seed) {
  const RandomStream stream(seed, "example:" + std::string(role.name));
  Shape shape;
  for (const std::string_view word : symbols_in(role.shape.substr(0, role.shape.find('|')))) {
    std::size_t extent = extent_in(usual_extents, word, 6);
    for (const Mechanism* m : sizes) extent = extent_in(m->extents, word, extent);
    shape.push_back(extent);
  }
  Json data = Json::array();
  for (std::size_t i = 0; i < element_count(shape); ++i)
    data.push_back(std::round(stream.normal(i) * 100) / 100);
  return {{"shape", shape}, {"data", std::move(data)}};
}

// The roles of a mechanism that an example fills: all of them, so that fallbacks do not hide a
// mix-up.
void add_inputs(Json& document, std::span<const Mechanism* const> sizes, List<Role> roles,
                std::uint64_t seed) {
  for (const Role& role : roles)
    document["inputs"][std::string(role.name)] = random_input(sizes, role, seed);
}

Json& patched(Json& document, const Mechanism& mechanism) {
  if (!mechanism.around.empty()) document.merge_patch(parse_json(mechanism.around));
  return document;
}

// The ids that a slot may hold beside this mechanism: the first one allowed when its exclusions
// name some.
void respect(const Mechanism& mechanism, Json& module) {
  for (const Ban& e : exclusions_of(mechanism)) {
    if (e.only && !e.ids.empty()) module[std::string(e.slot)] = std::string(e.ids.back());
  }
}

Json with_example(const Mechanism& mechanism) {
  Json json = parse_json("{" + std::string(mechanism.example) + "}");
  json["type"] = std::string(mechanism.id);
  return json;
}

}  // namespace

Json example_document(const Mechanism& mechanism, std::uint64_t seed, const Mechanism* beside) {
  Json document{
      {"schema", std::string(schema_version)}, {"seed", seed}, {"inputs", Json::object()}};
  const Mechanism& basic = *find_mechanism(Kind::query, "query-basic");
  // The mechanism's own sizes win.
  const std::array<const Mechanism*, 2> sizes{beside == nullptr ? &mechanism : beside, &mechanism};
  const Kind kind = mechanism.kind();
  Json& module = document["mechanism"];
  if (kind == Kind::structure) {
    module = with_example(mechanism);
    add_inputs(document, sizes, &mechanism == &general_module() ? basic.roles : mechanism.roles,
               seed);
    return patched(document, mechanism);
  }
  if (kind == Kind::cell) {
    const Mechanism& host = *find_mechanism(Kind::structure, "fm-rnn");
    module = {{"type", std::string(host.id)}, {"cell", with_example(mechanism)}};
    // The first state is its host's business, and zero here.
    for (const Role& role : host.roles)
      if (role.required)
        document["inputs"][std::string(role.name)] = random_input(sizes, role, seed);
    return patched(document, mechanism);
  }
  module["type"] = std::string(general_module().id);
  const Mechanism* query = kind == Kind::query   ? &mechanism
                           : kind == Kind::heads ? find_mechanism(Kind::query, "self-attention")
                                                 : &basic;
  module["query"] = kind == Kind::query ? with_example(mechanism) : Json(std::string(query->id));
  add_inputs(document, sizes, query->roles, seed);
  if (kind != Kind::query) add_inputs(document, sizes, mechanism.roles, seed);
  for (const Slot& slot : general_module().slots) {
    if (slot.kind != kind || kind == Kind::query) continue;
    module[std::string(slot.name)] =
        slot.list ? Json::array({with_example(mechanism)}) : with_example(mechanism);
  }
  respect(mechanism, module);
  return patched(document, mechanism);
}

}  // namespace attend
