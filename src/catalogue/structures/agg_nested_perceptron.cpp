// SPDX-License-Identifier: Apache-2.0
// A perceptron over what each side attends to in the other:
//   M_1 = softmax over the rows of E,  M_2 = softmax over its columns
//   e_2 = act(K_2 W1 + M_2^T (K_1 W2)) . w3,  e_1 = act(K_1 W2 + M_1 (K_2 W1)) . w4
// Galassi, Lippi, Torroni 2021, table V, arXiv:1902.02181
#include "catalogue/aggregation.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

Views through(Var e) {                                      // [n1 n2]
  const Var by_row = let("M_1", softmax(e));                // [n1 n2]
  const Var by_column = let("M_2", softmax(transpose(e)));  // [n2 n1], its transpose
  return {[by_row](Var rows) { return matmul(by_row, rows); },
          [by_column](Var rows) { return matmul(by_column, rows); }};
}

void build(const ModuleIn& in) { aggregate_by_perceptron(in, through, "w4", "w3"); }

Arrays reference(const ReferenceIn& in) { return aggregated_by_loops(in, soft_rows, "w4", "w3"); }

}  // namespace

namespace catalogue {
extern const Entry agg_nested_perceptron_entry;
const Entry agg_nested_perceptron_entry{
    .words =
        {.title = "Aggregation by a perceptron with nested attention",
         .formula =
             R"(e_1 = \operatorname{act}(K_1 W_2 + M_1 (K_2 W_1))\cdot w_4,\quad e_2 = \operatorname{act}(K_2 W_1 + M_2^{\top}(K_1 W_2))\cdot w_3)",
         .sentence =
             "Like the perceptron, but each token sees a weighted mean of the other input instead "
             "of a sum.",
         .note =
             "The survey transposes one input inside of each energy, where its shapes do not fit; here "
             "they are not transposed.",
         .source = {"Galassi, Lippi, Torroni", 2021, "table V",
                    "https://arxiv.org/abs/1902.02181"}},
    .record = {.id = "agg-nested-perceptron",
               .aliases = {"nested-perceptron"},
               .parameters = {{"W1", "d2 a"}, {"W2", "d1 a"}, {"w3", "a"}, {"w4", "a"}},
               .knobs = {activation_knob("tanh"),
                         size_knob("hidden", "Hidden width", "a", "d1", 1, 256)},
               .roles = side_roles,
               .slots = {affinity_slot("dot"), attention_slot("first", "Over input 1", by_energies),
                         attention_slot("second", "Over input 2", by_energies)},
               .coordinates = {{"multiplicity of features", "parallel co-attention"},
                               {"type", "specialized"}},
               .extents = {{"d1", 6}, {"d2", 6}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
