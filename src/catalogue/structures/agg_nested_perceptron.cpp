// SPDX-License-Identifier: Apache-2.0
// A perceptron over what each side attends to in the other:
//   M_1 = softmax over the rows of E,  M_2 = softmax over its columns
//   e_2 = act(K_2 W1 + M_2^T (K_1 W2)) . w3,  e_1 = act(K_1 W2 + M_1 (K_2 W1)) . w4
// Galassi, Lippi, Torroni 2021, table V, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/parts/structures/aggregation.h"

namespace attend::agg_nested_perceptron_entry {
namespace {

Views through(Var e) {                                      // [n1 n2]
  const Var by_row = let("M_1", softmax(e));                // [n1 n2]
  const Var by_column = let("M_2", softmax(transpose(e)));  // [n2 n1], its transpose
  return {[by_row](Var rows) { return matmul(by_row, rows); },
          [by_column](Var rows) { return matmul(by_column, rows); }};
}

Tensors build(const Scope& in, const Tensors& inputs) {
  return aggregate_by_perceptron(in, inputs, through, "w4", "w3");
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return aggregated_by_loops(
      in, [](const Array& e) { return soft_rows(e); }, "w4", "w3");
}

extern const Mechanism record{
    .id = "agg-nested-perceptron",
    .aliases = {"nested-perceptron"},
    .parameters = {{"W1", "d2 a"}, {"W2", "d1 a"}, {"w3", "a"}, {"w4", "a"}},
    .knobs = {activation_knob("tanh"), size_knob("hidden", "a", "d1", 1, 256)},
    .roles = side_roles,
    .slots = {affinity_slot("dot"), attention_slot("first", by_energies),
              attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"}, {"type", "specialized"}},
    .extents = {{"d1", 6}, {"d2", 6}},
    .behaviour = Structure{build}};
}  // namespace attend::agg_nested_perceptron_entry
