// SPDX-License-Identifier: Apache-2.0
// Decomposable attention, q_i the rows of input 1 and k_j those of input 2:
//   E = F(Q) F(K)^T,  beta_i = sum_j softmax_j(E)_ij k_j,  alpha_j = sum_i softmax_i(E)_ij q_i
//   v_1i = G([q_i; beta_i]),  v_2j = G([k_j; alpha_j]),  y = H([sum_i v_1i; sum_j v_2j])
// Parikh, Täckström, Das, Uszkoreit 2016, arXiv:1606.01933
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::attend_compare_aggregate_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);  // keys [.. d], values [.. dv]
  const Scope sized = in.sized();
  Var table;
  const auto energies = [&] {  // [n1 n2], once for both directions
    if (table) return table;
    const auto F = [&](const char* name, Var x) {
      return let(name, in.activate(matmul(x, sized.param("W_F")) + sized.param("b_F")));
    };
    table = let("E", matmul(F("F(Q)", s.key1), F("F(K)", s.key2), false, true));
    return table;
  };
  const Tensors second = ask_side_by_rows(in, s, 2, energies);
  const Tensors first = ask_side_by_rows(in, s, 1, [&] { return transpose(energies()); });
  const auto G = [&](const char* name, Var own, const Tensors& seen) {
    const Var both = concat({own, seen["context"]}, -1);
    return let(name, relu(matmul(both, sized.param("W_G")) + sized.param("b_G")));
  };
  const Var v1 = G("v_1", s.key1, second), v2 = G("v_2", s.key2, first);  // [n1 g] [n2 g]
  const Var all = let("[\\sum v_1; \\sum v_2]", concat({sum(v1, -2, true), sum(v2, -2, true)}, -1));
  const Var y = let("y", matmul(all, sized.param("W_H")) + sized.param("b_H"));
  return Tensors{{affinity_table, table, "n1 n2"}} + results_by_rows(in, first, second) +
         Tensors{{"compare1", v1, "n1 g:feature"},
                 {"compare2", v2, "n2 g:feature"},
                 {out::output, y, "1 c"}};
}

// A layer on rows: act(x W + b).
Array layer(const ReferenceIn& in, const Array& x, const std::string& name,
            const std::string& act) {
  return activated(
      affine(x, in.parameter("W_" + name),
             Array(Tensor{{1, in.parameter("b_" + name).cols()}, in.parameter("b_" + name).data})),
      act);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["key1"], &k = in["key2"];
  const Array e = dots(layer(in, q, "F", in.text("act")), layer(in, k, "F", in.text("act")));
  const AttentionTables second = seen_by(e, or_else(in, "value2", "key2"));
  const AttentionTables first = seen_by(transposed(e), or_else(in, "value1", "key1"));
  const Array v1 = layer(in, beside({q, second.context}), "G", "relu");
  const Array v2 = layer(in, beside({k, first.context}), "G", "relu");
  const Array sums = beside({sum_of_rows(v1), sum_of_rows(v2)});
  Arrays out{{"affinity", e},
             {"compare1", v1},
             {"compare2", v2},
             {"output", layer(in, sums, "H", "identity")}};
  put_sides(out, first, second);
  return out;
}

extern const Mechanism record{
    .id = "attend-compare-aggregate",
    .aliases = {"decomposable-attention"},
    .parameters = {{"W_F", "d a"},
                   {"b_F", "a", Distribution::zero},
                   {"W_G", "d+dv g"},
                   {"b_G", "g", Distribution::zero},
                   {"W_H", "2g c"},
                   {"b_H", "c", Distribution::zero}},
    .knobs = {activation_knob("relu"), size_knob("hidden", "a", "d", 1, 256),
              size_knob("compare", "g", "d", 1, 256), size_knob("classes", "c", 3., 1, 32)},
    .roles = {{"key1", "n1 d"},
              {"key2", "n2 d"},
              {"value1", "n1 dv", false, "key1"},
              {"value2", "n2 dv", false, "key2"}},
    .slots = {attention_slot("first", by_energies), attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"},
                    {"scoring", "decomposable"},
                    {"type", "specialized"}},
    .behaviour = Structure{build}};
}  // namespace attend::attend_compare_aggregate_entry
