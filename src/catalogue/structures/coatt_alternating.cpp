// SPDX-License-Identifier: Apache-2.0
// Alternating co-attention: look at input 1 without a query, ask input 2 with what was seen,
// ask input 1 with that
// Lu et al. 2016, arXiv:1606.00061; Brauwers & Frasincar 2022, equations 7 to 9
#include "catalogue/entry.h"
#include "catalogue/module_results.h"
#include "catalogue/modules.h"

namespace attend::coatt_alternating_entry {
namespace {

Tensors step(const Scope& in, const char* name, const char* slot, Var query, Var key, Var value,
             const char* n) {
  return with_map(in, slot,
                  in.call(slot, {.name = name, .family = {}, .m = "1", .n = n, .step = {}},
                          {{"query", query}, {"key", key}, {"value", value}}));
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);  // keys [n1 d1] [n2 d2]
  // No query in the first step: the row of zeros leaves only the keys' part of the score.
  const Var nothing = zeros(in.graph(), {1, s.value2.extent(-1)});
  const Tensors first = step(in, "first", "first", nothing, s.key1, s.value1, "n1");
  const Tensors second = step(in, "second", "second", first["context"], s.key2, s.value2, "n2");
  const Tensors third = step(in, "third", "first", second["context"], s.key1, s.value1, "n1");
  return results_of_sides(in, third, second) + join_sides(third, second);
}

// One step with additive scores; an empty query adds nothing.
Row attend_once(const ReferenceIn& in, const std::string& module, const Row& query,
                const Array& key, const Array& value, Array* weights) {
  const auto parameter = [&](const char* name) -> const Array& {
    return in.parameter(module + ".score." + name);
  };
  Row e(key.rows(), 0);
  for (std::size_t j = 0; j < e.size(); ++j) {
    Row h = mapped(key.row(j), parameter("W2"));
    if (!query.empty()) {
      const Row asked = mapped(query, parameter("W1"));
      for (std::size_t c = 0; c < h.size(); ++c) h[c] += asked[c];
    }
    for (std::size_t c = 0; c < h.size(); ++c)
      e[j] += parameter("w")(c) * activate("tanh", h[c] + parameter("b")(c));
  }
  *weights = Array({1, e.size()});
  weights->data = softened(e);
  return product(*weights, value).data;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &key1 = in["key1"], &key2 = in["key2"];
  const Array& value1 = in.has("value1") ? in["value1"] : key1;
  const Array& value2 = in.has("value2") ? in["value2"] : key2;
  Array a1, a2;
  Row c1 = attend_once(in, "first", {}, key1, value1, &a1);
  const Row c2 = attend_once(in, "second", c1, key2, value2, &a2);
  c1 = attend_once(in, "first", c2, key1, value1, &a1);
  Array joined({1, c1.size() + c2.size()});
  std::copy(c2.begin(), c2.end(), std::copy(c1.begin(), c1.end(), joined.data.begin()));
  return {{"weights1", a1}, {"weights2", a2}, {"output", joined}};
}

extern const Mechanism record{
    .id = "coatt-alternating",
    .aliases = {"alternating"},
    .roles = side_roles,
    .slots =
        {{"first", Kind::structure, "attention", false, "attention", {{"score", "additive"}}},
         {"second", Kind::structure, "attention", false, "attention", {{"score", "additive"}}}},
    .coordinates = {{"multiplicity of features", "alternating co-attention"},
                    {"type", "specialized"}},
    .behaviour = Structure{build}};
}  // namespace attend::coatt_alternating_entry
