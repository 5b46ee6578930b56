// SPDX-License-Identifier: Apache-2.0
#include "experiment/example.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "experiment/document.h"
#include "mechanisms/dimensions.h"
#include "ops/random.h"

namespace attend {
namespace {

// Extents that tell the axes apart; widths that are compared are equal.
std::size_t extent_of(std::string_view symbol) {
  static const std::map<std::string_view, std::size_t> extents{{"m", 4},   {"n", 5},  {"n1", 4},
                                                               {"n2", 5},  {"dv", 3}, {"dv1", 3},
                                                               {"dv2", 2}, {"d1", 6}, {"d2", 7}};
  const auto found = extents.find(symbol);
  return found == extents.end() ? 6 : found->second;
}

Json random_input(const Mechanism& mechanism, const Role& role, std::uint64_t seed) {
  const RandomStream stream(seed, "example:" + std::string(role.name));
  Shape shape;
  for (const std::string_view word : words_of(role.shape.substr(0, role.shape.find('|')))) {
    const auto own = mechanism.extents.find(word);
    shape.push_back(own != mechanism.extents.end() ? own->second : extent_of(word));
  }
  Json data = Json::array();
  for (std::size_t i = 0; i < element_count(shape); ++i)
    data.push_back(std::round(stream.normal(i) * 100) / 100);
  return {{"shape", shape}, {"data", std::move(data)}};
}

// The roles of a mechanism that an example fills: all of them, so that fallbacks do not hide a
// mix-up.
void add_inputs(Json& document, const Mechanism& mechanism, const std::vector<Role>& roles,
                std::uint64_t seed) {
  for (const Role& role : roles)
    document["inputs"][std::string(role.name)] = random_input(mechanism, role, seed);
}

Json& patched(Json& document, const Mechanism& mechanism) {
  if (!mechanism.around.empty()) document.merge_patch(Json::parse(mechanism.around));
  return document;
}

// The ids that a slot may hold beside this mechanism: the first one allowed when its exclusions
// name some.
void respect(const Mechanism& mechanism, Json& module) {
  for (const Exclusion& e : exclusions_of(mechanism)) {
    if (e.only && !e.ids.empty()) module[std::string(e.slot)] = std::string(e.ids.back());
  }
}

Json with_example(const Mechanism& mechanism) {
  Json json = Json::parse("{" + std::string(mechanism.example) + "}");
  json["type"] = std::string(mechanism.id);
  return json;
}

}  // namespace

Json example_document(const Mechanism& mechanism, std::uint64_t seed) {
  Json document{
      {"schema", std::string(schema_version)}, {"seed", seed}, {"inputs", Json::object()}};
  const Mechanism& basic = *find_mechanism(Kind::query, "query-basic");
  const Kind kind = mechanism.kind();
  Json& module = document["mechanism"];
  if (kind == Kind::structure) {
    module = with_example(mechanism);
    add_inputs(document, mechanism, mechanism.id == "attention" ? basic.roles : mechanism.roles,
               seed);
    return patched(document, mechanism);
  }
  module["type"] = "attention";
  const Mechanism* query = kind == Kind::query   ? &mechanism
                           : kind == Kind::heads ? find_mechanism(Kind::query, "self-attention")
                                                 : &basic;
  module["query"] = kind == Kind::query ? with_example(mechanism) : Json(std::string(query->id));
  add_inputs(document, mechanism, query->roles, seed);
  add_inputs(document, mechanism, kind == Kind::query ? std::vector<Role>{} : mechanism.roles,
             seed);
  for (const Slot& slot : find_mechanism(Kind::structure, "attention")->slots) {
    if (slot.kind != kind || kind == Kind::query) continue;
    module[std::string(slot.name)] =
        slot.list ? Json::array({with_example(mechanism)}) : with_example(mechanism);
  }
  respect(mechanism, module);
  return patched(document, mechanism);
}

}  // namespace attend
