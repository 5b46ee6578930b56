// SPDX-License-Identifier: Apache-2.0
// Multi-grained co-attention, input 1 the context and input 2 the aspect:
//   coarse: the mean of each asks the other, e_j = k_j W q (W_ca over the context, W_ac over the aspect)
//   fine:   U_ij = [k_2j; k_1i; k_2j * k_1i] . w,  softmax_i(max_j U) over the context, softmax_j(max_i U)
// Fan, Feng, Zhao 2018 (MGAN), D18-1380; the fine part as the released replication has it
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::coatt_multigrained_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Scope sized = in.sized();
  const Var mean1 = let("\\bar k_1", mean_row(s.key1)), mean2 = let("\\bar k_2", mean_row(s.key2));
  const auto general = [&](const char* W, Var q, Var k) {  // [1 n]
    return matmul(q, matmul(k, sized.param(W)), false, true);
  };
  Var table;
  const auto pairs = [&] {  // [n1 n2], once for both
    if (table) return table;
    table = let("U", trilinear_energies(s.key1, s.key2, sized.param("w")));
    return table;
  };
  const Tensors ca = ask(
      in,
      {.slot = "ca", .query = mean2, .key = s.key1, .value = s.value1, .n = "n1", .energies = [&] {
         return general("W_ca", mean2, s.key1);
       }});
  const Tensors ac = ask(
      in,
      {.slot = "ac", .query = mean1, .key = s.key2, .value = s.value2, .n = "n2", .energies = [&] {
         return general("W_ac", mean1, s.key2);
       }});
  const Tensors first = ask_side(in, s, 1, [&] { return transpose(max(pairs(), -1, true)); });
  const Tensors second = ask_side(in, s, 2, [&] { return max(pairs(), -2, true); });
  return Tensors{{affinity_table, table, "n1 n2"}} + results_of_sides(in, first, second) +
         join("[c_{ca}; c_{ac}; c_1; c_2]",
              {ca["context"], ac["context"], first["context"], second["context"]});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &key1 = in["key1"], &key2 = in["key2"];
  const Array &value1 = or_else(in, "value1", "key1"), &value2 = or_else(in, "value2", "key2");
  const auto coarse = [&](const char* W, const Array& keys, const Array& other,
                          const Array& values) {
    return seen_by(dots(mean_of_rows(other), product(keys, in.parameter(W))), values);
  };
  const AttentionTables ca = coarse("W_ca", key1, key2, value1),
                        ac = coarse("W_ac", key2, key1, value2);
  const Array u = trilinear(in.parameter("w"), key1, key2);
  const AttentionTables first = seen_by(row_maxima(u), value1);
  const AttentionTables second = seen_by(row_maxima(transposed(u)), value2);
  Arrays out{{"affinity", u},
             {"ca.weights", ca.weights},
             {"ac.weights", ac.weights},
             {"output", beside({ca.context, ac.context, first.context, second.context})}};
  put_sides(out, first, second);
  return out;
}

extern const Mechanism record{
    .id = "coatt-multigrained",
    .aliases = {"multigrained"},
    .parameters = {{"W_ca", "d d"}, {"W_ac", "d d"}, {"w", "3d"}},
    .roles = {{"key1", "n1 d"},
              {"key2", "n2 d"},
              {"value1", "n1 dv1", false, "key1"},
              {"value2", "n2 dv2", false, "key2"}},
    .slots = {attention_slot("ca", by_energies), attention_slot("ac", by_energies),
              attention_slot("first", by_energies), attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "multi-grained co-attention"},
                    {"scoring", "general, trilinear"},
                    {"type", "specialized"}},
    .behaviour = Structure{build}};
}  // namespace attend::coatt_multigrained_entry
