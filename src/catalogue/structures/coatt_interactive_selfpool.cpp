// SPDX-License-Identifier: Apache-2.0
// Interactive co-attention with pooled queries: each input is first pooled by self-attention, and
// what comes out asks the other
//   p_s = softmax(tanh(K_s W_s + b_s) w_s) K_s,  c_1 = att(p_2, K_1),  c_2 = att(p_1, K_2)
// Galassi, Lippi, Torroni 2021, section IV-D, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::coatt_interactive_selfpool_entry {
namespace {

Var pooled(const Scope& sized, const std::string& side, Var key) {
  const auto parameter = [&](const char* symbol) { return sized.param("pool" + side + symbol); };
  const Var h = tanh(matmul(key, parameter(".W")) + parameter(".b"));                // [n a]
  const Var a = let("a_" + side, softmax(matmul(parameter(".w"), h, false, true)));  // [1 n]
  sized.output(out::weights.as("pool" + side + ".weights"), a, "1 n" + side);
  return let("p_" + side, matmul(a, key));  // [1 d]
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Scope sized = in.sized();
  const Var pool1 = pooled(sized, "1", s.key1), pool2 = pooled(sized, "2", s.key2);
  const Tensors first = ask_side(in, s, 1, {}, pool2), second = ask_side(in, s, 2, {}, pool1);
  return results_of_sides(in, first, second) + join_sides(first, second);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &key1 = in["key1"], &key2 = in["key2"];
  const AttentionTables pool1 = seen_by(self_additive(in, "pool1.", key1), key1);
  const AttentionTables pool2 = seen_by(self_additive(in, "pool2.", key2), key2);
  const AttentionTables first =
      seen_by(activated_general(in, "first", pool2.context, key1), or_else(in, "value1", "key1"));
  const AttentionTables second =
      seen_by(activated_general(in, "second", pool1.context, key2), or_else(in, "value2", "key2"));
  Arrays out = joined_sides(first, second);
  out["pool1.weights"] = pool1.weights;
  out["pool2.weights"] = pool2.weights;
  return out;
}

extern const Mechanism record{
    .id = "coatt-interactive-selfpool",
    .aliases = {"interactive-selfpool"},
    .parameters = {{"pool1.W", "d1 a1"},
                   {"pool1.b", "a1", Distribution::zero},
                   {"pool1.w", "a1"},
                   {"pool2.W", "d2 a2"},
                   {"pool2.b", "a2", Distribution::zero},
                   {"pool2.w", "a2"}},
    .knobs = {size_knob("hidden1", "a1", "d1", 1, 256), size_knob("hidden2", "a2", "d2", 1, 256)},
    .roles = side_roles,
    .slots = {attention_slot("first", by_activated_general),
              attention_slot("second", by_activated_general)},
    .coordinates = {{"multiplicity of features", "interactive co-attention"},
                    {"type", "specialized"}},
    .behaviour = Structure{build}};
}  // namespace attend::coatt_interactive_selfpool_entry
