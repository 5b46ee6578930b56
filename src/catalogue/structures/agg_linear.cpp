// SPDX-License-Identifier: Apache-2.0
// A table of scores aggregated by learned sums:  e_2 = w1 E,  e_1 = E w2
// Galassi, Lippi, Torroni 2021, table V, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::agg_linear_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Scope sized = in.sized();
  const Var e = named_affinity(in, s);                                          // [n1 n2]
  const auto rows = [&] { return matmul(sized.param("w2"), e, false, true); };  // [1 n1]
  const auto columns = [&] { return matmul(sized.param("w1"), e); };            // [1 n2]
  const Tensors first = ask_side(in, s, 1, rows), second = ask_side(in, s, 2, columns);
  return Tensors{{affinity_table, e, "n1 n2"}} + results_of_sides(in, first, second) +
         join_sides(first, second);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array e = dots(in["key1"], in["key2"]);
  const Array e1 = product(in.parameter("w2"), transposed(e)), e2 = product(in.parameter("w1"), e);
  const AttentionTables first = seen_by(e1, or_else(in, "value1", "key1"));
  const AttentionTables second = seen_by(e2, or_else(in, "value2", "key2"));
  Arrays out = joined_sides(first, second);
  out["affinity"] = e;
  return out;
}

extern const Mechanism record{
    .id = "agg-linear",
    .parameters = {{"w1", "n1"}, {"w2", "n2"}},
    .roles = side_roles,
    .slots = {affinity_slot("dot"), attention_slot("first", by_energies),
              attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"}, {"type", "specialized"}},
    .extents = {{"d1", 6}, {"d2", 6}},
    .behaviour = Structure{build}};
}  // namespace attend::agg_linear_entry
