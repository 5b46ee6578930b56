// SPDX-License-Identifier: Apache-2.0
// Two attentions over one table of scores: each side asks the other
//   C_2 = softmax_j(E) V_2 for the rows of input 1,  C_1 = softmax_i(E^T) V_1 for the rows of input 2
// Galassi, Lippi, Torroni 2021, section IV-D2, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::coatt_twoway_naive_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Var e = named_affinity(in, s);  // [n1 n2]
  const Tensors first = ask_side_by_rows(in, s, 1, [&] { return transpose(e); });
  const Tensors second = ask_side_by_rows(in, s, 2, [&] { return e; });
  // One table of both where they are equally wide: the rows of input 1 that were answered, then input 2's.
  const Var of_first = second["context"], of_second = first["context"];
  const bool fit = of_first.extent(-1) == of_second.extent(-1);
  return Tensors{{affinity_table, e, "n1 n2"}} + results_by_rows(in, first, second) +
         Tensors{{out::output, fit ? concat({of_first, of_second}, -2) : Var{}, "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array e = dots(in["key1"], in["key2"]);
  const AttentionTables first = seen_by(transposed(e), or_else(in, "value1", "key1"));
  const AttentionTables second = seen_by(e, or_else(in, "value2", "key2"));
  Array both({e.rows() + e.cols(), first.context.cols()});
  std::copy(first.context.data.begin(), first.context.data.end(),
            std::copy(second.context.data.begin(), second.context.data.end(), both.data.begin()));
  Arrays out{{"affinity", e}, {"output", both}};
  put_sides(out, first, second);
  return out;
}

extern const Mechanism record{
    .id = "coatt-twoway-naive",
    .aliases = {"twoway-naive"},
    .roles = side_roles,
    .slots = {affinity_slot("dot"), attention_slot("first", by_energies),
              attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"}, {"type", "specialized"}},
    .extents = {{"d1", 6}, {"d2", 6}, {"dv2", 3}},
    .behaviour = Structure{build}};
}  // namespace attend::coatt_twoway_naive_entry
