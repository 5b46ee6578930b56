// SPDX-License-Identifier: Apache-2.0
#include "catalogue/modules.h"

#include <algorithm>

#include "catalogue/parts/structures/structure_parts.h"

namespace attend {
namespace {

bool is_feature_wise(const Choice& module) {
  const Choice* dimensionality = module.in("dimensionality");
  return dimensionality != nullptr &&
         std::get<Dimensionality>(dimensionality->mechanism->behaviour).scores != nullptr;
}

bool reads(const Choice& choice, std::string_view port) {
  const List<Role>& roles = choice.mechanism->roles;
  return std::any_of(roles.begin(), roles.end(), [&](const Role& r) { return r.name == port; });
}

// A query that the module makes itself (a learned one) needs no input.
void check_unasked(const Choice& module) {
  const Choice *score = module.in("score"), *query = module.in("query");
  const bool brings = query != nullptr && !reads(*query, "query");
  if (brings || score == nullptr || !std::get<Score>(score->mechanism->behaviour).reads_query)
    return;
  refuse(
      score->path,
      "\"" + std::string(score->mechanism->id) +
          R"(" compares keys with a query, but this step has no query; choose a score without one, such as "self-additive", or give the module its own query: "query": "query-learned")");
}

}  // namespace

Tensors ask(const Scope& in, const Ask& at) {
  const Choice& module = *in.choice.in(at.slot);
  const Choice* score = module.in("score");
  Tensors inputs{{"query", at.query}, {"key", at.key}, {"value", at.value}};
  if (at.energies && score != nullptr && std::get<Score>(score->mechanism->behaviour).given) {
    inputs.add({score->mechanism->roles.begin()->name, at.energies()});
  } else if (!at.query) {
    check_unasked(module);
  }
  return in.call(
      at.slot, {.name = at.name, .family = {}, .m = at.m, .n = at.n, .step = {}, .quiet = at.quiet},
      inputs);
}

std::string map_axes(const Scope& in, const char* slot, Var map, const std::string& m,
                     const std::string& n) {
  if (map.rank() == 2) return m + " " + n;
  return has_features_behind(in, slot, map) ? m + " " + n + " dv" : "h " + m + " " + n;
}

bool has_features_behind(const Scope& in, const char* slot, Var map) {
  return map.rank() != 2 && is_feature_wise(*in.choice.in(slot));
}

Sides sides_of(const Scope& in, const Tensors& inputs) {
  const Var key1 = inputs["key1"], key2 = inputs["key2"];
  const Var value1 = inputs.find("value1"), value2 = inputs.find("value2");
  in.label("n1", key1);
  in.label("n2", key2);
  const Sides sides{key1, key2, value1 ? value1 : key1, value2 ? value2 : key2};
  for (const auto& [key, value, port] :
       {std::tuple{key1, sides.value1, "value1"}, std::tuple{key2, sides.value2, "value2"}}) {
    if (key.extent(-2) == value.extent(-2)) continue;
    refuse(in.source_of(port), "there are " + std::to_string(key.extent(-2)) + " keys, but " +
                                   std::to_string(value.extent(-2)) + " values");
  }
  return sides;
}

namespace {

Ask about_side(const Sides& sides, int side, const Energies& energies) {
  const bool first = side == 1;
  return {.slot = first ? "first" : "second",
          .key = first ? sides.key1 : sides.key2,
          .value = first ? sides.value1 : sides.value2,
          .n = first ? "n1" : "n2",
          .energies = energies};
}

}  // namespace

Tensors ask_side(const Scope& in, const Sides& sides, int side, const Energies& energies,
                 Var query) {
  Ask one_row = about_side(sides, side, energies);
  one_row.query = query;
  return ask(in, one_row);
}

Tensors ask_side_by_rows(const Scope& in, const Sides& sides, int side, const Energies& energies) {
  Ask rows = about_side(sides, side, energies);
  rows.query = side == 1 ? sides.key2 : sides.key1;
  rows.m = side == 1 ? "n2" : "n1";
  return ask(in, rows);
}

Tensors results_of_side(const Scope& in, const char* side, const char* slot, const Tensors& of,
                        const std::string& m, const std::string& n) {
  const auto named = [&](const char* name) { return name + std::string(side); };
  // A core makes no scores, and not every one makes weights.
  const Var scores = of.find("scores"), weights = of.find("weights");
  const auto axes = [&](Var map) { return map ? map_axes(in, slot, map, m, n) : ""; };
  return {{out::scores.as(named("scores")), scores, axes(scores)},
          {out::weights.as(named("weights")), weights, axes(weights)},
          {out::context.as(named("context")), of["context"], m + " dv" + side}};
}

Tensors results_of_sides(const Scope& in, const Tensors& first, const Tensors& second) {
  return results_of_side(in, "1", "first", first, "1", "n1") +
         results_of_side(in, "2", "second", second, "1", "n2");
}

Tensors results_by_rows(const Scope& in, const Tensors& first, const Tensors& second) {
  return results_of_side(in, "1", "first", first, "n2:query", "n1") +
         results_of_side(in, "2", "second", second, "n1:query", "n2");
}

Var affinity(const Scope& in, Var q, Var k) {
  return given_scores(in, *in.choice.in("affinity"), {q, k, k});
}

Var named_affinity(const Scope& in, const Sides& sides) {
  return let("E", affinity(in, sides.key1, sides.key2));
}

Var trilinear_energies(Var q, Var k, Var w) {
  const std::size_t d = k.extent(-1);
  const auto third = [&](std::size_t i) { return slice(w, -1, i * d, (i + 1) * d); };
  const Var keys = matmul(third(0), k, false, true);     // [1 n]
  const Var queries = matmul(q, third(1), false, true);  // [m 1]
  return matmul(q * third(2), k, false, true) + keys + queries;
}

Var mean_row(Var rows) { return mean(rows, -2, true); }

Tensors join(const std::string& name, const std::vector<Var>& contexts) {
  return {{out::output, let(name, concat(contexts, -1)), "1 d"}};
}

Tensors join_sides(const Tensors& first, const Tensors& second) {
  return join("[c_1; c_2]", {first["context"], second["context"]});
}

Choice plain_attention(const Scope& in) {
  Choice module = in.choice;
  module.mechanism = &general_module();
  module.knobs.clear();
  if (module.in("query") == nullptr) {
    const Mechanism* basic = find_mechanism(Kind::query, "query-basic");
    module.slots["query"] = {
        {basic, in.choice.path, in.choice.prefix + "query.", in.choice.module_prefix}};
  }
  return module;
}

}  // namespace attend
