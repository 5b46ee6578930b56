// SPDX-License-Identifier: Apache-2.0
// A table of scores aggregated by a perceptron, for any score:
//   e_1 = act(K_1 W2 + E (K_2 W1)) . w2,  e_2 = act(K_2 W1 + E^T (K_1 W2)) . w1
// Galassi, Lippi, Torroni 2021, table V, arXiv:1902.02181; Brauwers & Frasincar 2022, equations 14 and 15
#include "catalogue/entry.h"
#include "catalogue/parts/structures/aggregation.h"

namespace attend::agg_perceptron_entry {
namespace {

Views through(Var e) {  // [n1 n2]
  return {[e](Var rows) { return matmul(e, rows); },
          [e](Var rows) { return matmul(e, rows, true, false); }};
}

Tensors build(const Scope& in, const Tensors& inputs) {
  return aggregate_by_perceptron(in, inputs, through, "w2", "w1");
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return aggregated_by_loops(
      in, [](const Array& table) { return table; }, "w2", "w1");
}

extern const Mechanism record{
    .id = "agg-perceptron",
    .aliases = {"perceptron"},
    .parameters = {{"W1", "d2 a"}, {"W2", "d1 a"}, {"w1", "a"}, {"w2", "a"}},
    .knobs = {activation_knob("tanh"), size_knob("hidden", "a", "d1", 1, 256)},
    .roles = side_roles,
    .slots = {affinity_slot("dot"), attention_slot("first", by_energies),
              attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"}, {"type", "specialized"}},
    .extents = {{"d1", 6}, {"d2", 6}},
    .behaviour = Structure{build}};
}  // namespace attend::agg_perceptron_entry
