// SPDX-License-Identifier: Apache-2.0
// Parallel co-attention: all pairs of tokens at once
//   F = act(K_1 W_A K_2^T),  e_1 = act(K_1 W1 + F (K_2 W2)) . w1,  e_2 = act(K_2 W2 + F^T (K_1 W1)) . w2
// Lu et al. 2016, arXiv:1606.00061; Brauwers & Frasincar 2022, equations 12, 14 and 15
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::coatt_parallel_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Scope sized = in.sized();
  const Var W_A = sized.param("W_A");  // [d1 d2]
  const Var affinity =
      let("F", in.activate(matmul(matmul(s.key1, W_A), s.key2, false, true)));  // [n1 n2]
  const Var own1 = matmul(s.key1, sized.param("W1")), own2 = matmul(s.key2, sized.param("W2"));
  const auto first_energies = [&] {
    const Var h = let("H_1", in.activate(own1 + matmul(affinity, own2)));  // [n1 a]
    return matmul(sized.param("w1"), h, false, true);                      // [1 n1]
  };
  const auto second_energies = [&] {
    const Var h = let("H_2", in.activate(own2 + matmul(affinity, own1, true, false)));  // [n2 a]
    return matmul(sized.param("w2"), h, false, true);                                   // [1 n2]
  };
  const Tensors first = ask_side(in, s, 1, first_energies);
  const Tensors second = ask_side(in, s, 2, second_energies);
  const Tensors results =
      Tensors{{affinity_table, affinity, "n1 n2"}} + results_of_sides(in, first, second);
  if (in.text("merge") == "concat") return results + join_sides(first, second);
  const Var c1 = first["context"], c2 = second["context"];
  if (c1.extent(-1) != c2.extent(-1)) {
    refuse(in.choice.path + "/merge", "a sum needs contexts of the same width; they are " +
                                          std::to_string(c1.extent(-1)) + " and " +
                                          std::to_string(c2.extent(-1)) +
                                          " wide; make the values equally wide, or choose "
                                          "\"concat\"");
  }
  return results + Tensors{{out::output, let("c_1 + c_2", c1 + c2), "1 d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &key1 = in["key1"], &key2 = in["key2"];
  const std::string& act = in.text("act");
  const Array own1 = product(key1, in.parameter("W1")), own2 = product(key2, in.parameter("W2"));
  const Array affinity =
      activated(product(product(key1, in.parameter("W_A")), transposed(key2)), act);
  const auto energies = [&](const Array& own, const Array& other, const Array& w) {
    return dots(w, activated(plus(own, other), act));
  };
  const AttentionTables first = seen_by(energies(own1, product(affinity, own2), in.parameter("w1")),
                                        or_else(in, "value1", "key1"));
  const AttentionTables second =
      seen_by(energies(own2, product(transposed(affinity), own1), in.parameter("w2")),
              or_else(in, "value2", "key2"));
  Arrays out{{"affinity", affinity}};
  out["output"] = in.text("merge") == "sum" ? plus(first.context, second.context)
                                            : beside({first.context, second.context});
  put_sides(out, first, second);
  return out;
}

extern const Mechanism record{
    .id = "coatt-parallel",
    .aliases = {"parallel"},
    .parameters = {{"W_A", "d1 d2"}, {"W1", "d1 a"}, {"W2", "d2 a"}, {"w1", "a"}, {"w2", "a"}},
    .knobs = {activation_knob("tanh"), size_knob("hidden", "a", "d1", 1, 256),
              choice_knob("merge", "concat", {"concat", "sum"})},
    .roles = side_roles,
    .slots = {attention_slot("first", by_energies), attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"},
                    {"scoring", "additive"},
                    {"type", "specialized"}},
    .extents = {{"dv2", 3}},
    .behaviour = Structure{build}};
}  // namespace attend::coatt_parallel_entry
