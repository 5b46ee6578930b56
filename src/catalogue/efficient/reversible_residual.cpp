// SPDX-License-Identifier: Apache-2.0
// Reversible residual layer: the inputs can be computed back from the outputs,
//   y1 = x1 + Att(x2),  y2 = x2 + relu(y1 W1 + b1) W2 + b2;  x2 = y2 - FF(y1),  x1 = y1 - Att(x2)
// Kitaev, Kaiser, Levskaya 2020 (Reformer), arXiv:2001.04451; Gomez et al. 2017, arXiv:1707.04585
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::reversible_residual_entry {
namespace {

Looked attention(const Scope& in, Var x) {  // x [n d2]
  const std::size_t n = x.extent(-2);
  return attend_by_slots(
      in,
      {let("Q", matmul(x, in.param("W_Q"))), let("K", matmul(x, in.param("W_K"))),
       let("V", matmul(x, in.param("W_V")))},
      in.flag("causal") ? keys_so_far(in.graph(), n, n) : Var{});
}

Var forward_layer(const Scope& in, Var y) {  // y [n d1] -> [n d2]
  const Var hidden = let("H", relu(matmul(y, in.param("W1")) + in.param("b1")));
  return matmul(hidden, in.param("W2")) + in.param("b2");
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x1 = inputs["x1"], x2 = inputs["x2"];  // [n d1] [n d2]
  in.label("m", x1);
  in.label("n", x2);
  Looked seen;
  Var y1, y2;
  if (in.flag("inverse")) {
    y2 = let("x_2", x2 - forward_layer(in, x1));
    seen = attention(in, y2);
    y1 = let("x_1", x1 - seen.context);
  } else {
    seen = attention(in, x2);
    y1 = let("y_1", x1 + seen.context);
    y2 = let("y_2", x2 + forward_layer(in, y1));
  }
  return {{out::scores, seen.scores, "m n"},
          {out::weights, seen.weights, "m n"},
          {out::context, seen.context, "m d"},
          {out::output.as("output1"), y1, "m d"},
          {out::output.as("output2"), y2, "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array one = in["x1"], two = in["x2"];
  const auto feed = [&](const Array& y) {
    const Array hidden = activated(affine(y, in.parameter("W1"), in.parameter("b1")), "relu");
    return affine(hidden, in.parameter("W2"), in.parameter("b2"));
  };
  const auto look = [&](const Array& x) {
    return attended(product(x, in.parameter("W_Q")), product(x, in.parameter("W_K")),
                    product(x, in.parameter("W_V")),
                    [&](std::size_t i, std::size_t j) { return !in.flag("causal") || j <= i; });
  };
  const auto add = [&](Array& to, const Array& what) {
    to = in.flag("inverse") ? minus(to, what) : plus(to, what);
  };
  if (in.flag("inverse")) add(two, feed(one));
  const AttentionTables seen = look(two);
  add(one, seen.context);
  if (!in.flag("inverse")) add(two, feed(one));
  return {{"weights", seen.weights}, {"context", seen.context}, {"output1", one}, {"output2", two}};
}

extern const Mechanism record{.id = "reversible-residual",
                              .aliases = {"revnet"},
                              .parameters = {{"W_Q", "d2 p"},
                                             {"W_K", "d2 p"},
                                             {"W_V", "d2 d1"},
                                             {"W1", "d1 a"},
                                             {"b1", "a", Distribution::zero},
                                             {"W2", "a d2"},
                                             {"b2", "d2", Distribution::zero}},
                              .symbols = {{"p", "d2"}},
                              .knobs = {size_knob("hidden", "a", "4*d1", 1, 256),
                                        flag_knob("inverse", false), flag_knob("causal", false)},
                              .roles = {{"x1", "n d1"}, {"x2", "n d2"}},
                              .slots = {own_score_slot, own_alignment_slot},
                              .coordinates = {{"scoring", "scaled multiplicative"},
                                              {"alignment", "global"},
                                              {"type", "self-attentive"}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::reversible_residual_entry
