// SPDX-License-Identifier: Apache-2.0
// A table of scores aggregated by its maxima:  e_1i = max_j E_ij,  e_2j = max_i E_ij
// dos Santos et al. 2016 (attentive pooling), arXiv:1602.03609; Galassi, Lippi, Torroni 2021, table V;
// Brauwers & Frasincar 2022, equation 16
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::agg_pooling_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Var e = named_affinity(in, s);  // [n1 n2]
  const Tensors first = ask_side(in, s, 1, [&] { return transpose(max(e, -1, true)); });
  const Tensors second = ask_side(in, s, 2, [&] { return max(e, -2, true); });
  return Tensors{{affinity_table, e, "n1 n2"}} + results_of_sides(in, first, second) +
         join_sides(first, second);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array e = dots(in["key1"], in["key2"]);
  const AttentionTables first = seen_by(row_maxima(e), or_else(in, "value1", "key1"));
  const AttentionTables second = seen_by(row_maxima(transposed(e)), or_else(in, "value2", "key2"));
  Arrays out = joined_sides(first, second);
  out["affinity"] = e;
  return out;
}

extern const Mechanism record{
    .id = "agg-pooling",
    .aliases = {"pooling", "attention-pooling"},
    .roles = side_roles,
    .slots = {affinity_slot("dot"), attention_slot("first", by_energies),
              attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"}, {"type", "specialized"}},
    .extents = {{"d1", 6}, {"d2", 6}},
    .behaviour = Structure{build}};
}  // namespace attend::agg_pooling_entry
