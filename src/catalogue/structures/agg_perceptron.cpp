// SPDX-License-Identifier: Apache-2.0
// A table of scores aggregated by a perceptron, for any score:
//   e_1 = act(K_1 W2 + E (K_2 W1)) . w2,  e_2 = act(K_2 W1 + E^T (K_1 W2)) . w1
// Galassi, Lippi, Torroni 2021, table V, arXiv:1902.02181; Brauwers & Frasincar 2022, equations 14 and 15
#include "catalogue/aggregation.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

Views through(Var e) {  // [n1 n2]
  return {[e](Var rows) { return matmul(e, rows); },
          [e](Var rows) { return matmul(e, rows, true, false); }};
}

void build(const ModuleIn& in) { aggregate_by_perceptron(in, through, "w2", "w1"); }

Arrays reference(const ReferenceIn& in) {
  return aggregated_by_loops(
      in, [](const Array& table) { return table; }, "w2", "w1");
}

}  // namespace

namespace catalogue {
extern const Entry agg_perceptron_entry;
const Entry agg_perceptron_entry{
    .words =
        {.title = "Aggregation by a perceptron",
         .formula =
             R"(e_1 = \operatorname{act}(K_1 W_2 + E\,(K_2 W_1))\cdot w_2,\quad e_2 = \operatorname{act}(K_2 W_1 + E^{\top}(K_1 W_2))\cdot w_1)",
         .sentence =
             "A token's score comes from itself and from the other input, seen through the table "
             "of all pairs.",
         .note =
             "One survey prints the second energy with shapes that do not fit; here both sides are "
             "alike, as in another's equations 14 and 15.",
         .source = {"Galassi, Lippi, Torroni", 2021, "table V",
                    "https://arxiv.org/abs/1902.02181"}},
    .record = {.id = "agg-perceptron",
               .aliases = {"perceptron"},
               .parameters = {{"W1", "d2 a"}, {"W2", "d1 a"}, {"w1", "a"}, {"w2", "a"}},
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
