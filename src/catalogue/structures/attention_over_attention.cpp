// SPDX-License-Identifier: Apache-2.0
// Attention over attention:  M_1 = softmax over the rows of E,  M_2 = softmax over its columns
//   a_1 = mean over the columns of M_2,  a_2 = a_1 M_1
// Cui et al. 2017, arXiv:1607.04423; Galassi, Lippi, Torroni 2021, table V, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_parts.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::attention_over_attention_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Var e = named_affinity(in, s);                                           // [n1 n2]
  const Var by_row = let("M_1", weights_by(in, e, {s.key1, s.key2, s.value2}));  // [n1 n2]
  const Var by_column = let(
      "M_2", weights_by(in, transpose(e), {s.key2, s.key1, s.value1}));  // [n2 n1], its transpose
  const Var of_columns = transpose(by_column);                           // [n1 n2]
  const Var a1 = let("a_1", mean(by_column, -2, true));                  // [1 n1]
  const Var a2 = let("a_2", matmul(a1, by_row));                         // [1 n2]
  const Var c1 = let("c_1", matmul(a1, s.value1)), c2 = let("c_2", matmul(a2, s.value2));
  OutputKind weights2 = out::weights.as("weights2");
  // Weights that need not sum to 1, weighed once more, may be larger than 1.
  const Choice* own = in.choice.in("alignment");
  if (own != nullptr && !own->mechanism->laws.rows_sum_to_one)
    weights2.numbers = NumberKind::real_number;
  return Tensors{{affinity_table, e, "n1 n2"},
                 {out::weights.as("M1"), by_row, "n1:query n2"},
                 {out::weights.as("M2"), of_columns, "n1 n2:query"},
                 {out::weights.as("weights1"), a1, "1 n1"},
                 {out::context.as("context1"), c1, "1 dv1"},
                 {weights2, a2, "1 n2"},
                 {out::context.as("context2"), c2, "1 dv2"}} +
         join("[c_1; c_2]", {c1, c2});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array e = dots(in["key1"], in["key2"]);
  const Array by_row = soft_rows(e), by_column = transposed(soft_rows(transposed(e)));
  const Array a1 = mean_of_rows(transposed(by_column));
  const Array a2 = product(a1, by_row);
  const Array c1 = product(a1, or_else(in, "value1", "key1"));
  const Array c2 = product(a2, or_else(in, "value2", "key2"));
  return {{"affinity", e},  {"M1", by_row},   {"M2", by_column}, {"weights1", a1},
          {"weights2", a2}, {"context1", c1}, {"context2", c2},  {"output", beside({c1, c2})}};
}

extern const Mechanism record{.id = "attention-over-attention",
                              .aliases = {"aoa"},
                              .roles = side_roles,
                              .slots = {affinity_slot("dot"), own_alignment_slot},
                              .coordinates = {{"multiplicity of features", "parallel co-attention"},
                                              {"alignment", "global"},
                                              {"type", "specialized"}},
                              .extents = {{"d1", 6}, {"d2", 6}},
                              .behaviour = Structure{build}};
}  // namespace attend::attention_over_attention_entry
