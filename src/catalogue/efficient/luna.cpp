// SPDX-License-Identifier: Apache-2.0
// Luna, nested attention: r rows P pack the tokens, the tokens unpack them,
//   P' = softmax(P X^T) X,  C = softmax(X P'^T) P'
// causal: P'_t = (1/(t+1)) sum_{j <= t} softplus(x_j P^T)^T x_j
// Ma et al. 2021, arXiv:2106.01540
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::luna_entry {
namespace {

Tensors build_plain(const Scope&, Var x, Var P) {
  const Var pack = let("A_p", softmax(matmul(P, x, false, true)));  // [r n]
  const Var state = let("P'", matmul(pack, x));                     // [r d]
  const Var scores = let("E_u", matmul(x, state, false, true));     // [n r]
  const Var unpack = let("A_u", softmax(scores));                   // [n r]
  const std::size_t n = x.extent(-2);
  Var map;  // a longer text has the two thin maps only
  if (n <= max_elements / n) map = let("A", matmul(unpack, pack));
  return {{out::weights.as("weights.0"), pack, "r:query n"},
          {out::weights.as("weights.1"), unpack, "m r:key"},
          {out::weights, map, "m n"},
          {out::state, state, "r:query d"},
          {out::result, let("C", matmul(unpack, state)), "m d"}};
}

// A token sees the running mean of what it and those before it have packed: no softmax, whose sum
// would need the tokens to come.
Tensors build_causal(const Scope& in, Var x, Var P) {
  const std::size_t n = x.extent(-2);
  const Var pack = let("w", activation("softplus", matmul(x, P, false, true)));  // [n r]
  const Var count = iota(in.graph(), n, 2) + 1;                                  // [n 1]
  const Var each = expand(pack, -1) * expand(x, -2);                             // [n r d]
  const Var states = let("P'_t", cumsum(each, 0) / expand(count, -1));           // [n r d]
  const Var scores = squeeze(matmul(expand(x, -2), states, false, true), -2);    // [n r]
  const Var unpack = let("A_u", softmax(scores));                                // [n r]
  const Var seen = greater(count, iota(in.graph(), n));                          // [n n]
  const Var map = matmul(unpack, pack, false, true) * seen / count;
  return {{free_weights.as("weights.0"), transpose(pack), "r:query n"},
          {out::weights.as("weights.1"), unpack, "m r:key"},
          {free_weights, let("A", map), "m n"},
          {out::state, squeeze(slice(states, 0, n - 1, n), 0), "r:query d"},
          {out::result, let("C", squeeze(matmul(expand(unpack, -2), states), -2)), "m d"}};
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("m", x);
  in.label("n", x);
  return (in.flag("causal") ? build_causal : build_plain)(in, x, in.param("P"));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &P = in.parameter("P");
  if (!in.flag("causal")) {
    const AttentionTables pack = seen_by(dots(P, x), x);
    const AttentionTables back = seen_by(dots(x, pack.context), pack.context);
    return {{"weights", product(back.weights, pack.weights)},
            {"state", pack.context},
            {"output", back.context}};
  }
  const Array packs = activated(dots(P, x), "softplus");
  Array output(x.shape), weights({x.rows(), x.rows()}), state;
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const Array pack = table_by(P.rows(), x.rows(), [&](std::size_t u, std::size_t j) {
      return j <= t ? packs(u, j) / double(t + 1) : 0;
    });
    state = product(pack, x);
    const Row a = softened(dots(one_row(x.row(t)), state).data);
    output.set(mapped(a, state), t);
    weights.set(mapped(a, pack), t);
  }
  return {{"weights", weights}, {"state", state}, {"output", output}};
}

extern const Mechanism record{
    .id = "luna",
    .parameters = {{"P", "r d", Distribution::unit}},
    .knobs = {size_knob("rows", "r", 16., 1, 64), flag_knob("causal", false)},
    .roles = {{"x", "n d"}},
    .coordinates = {{"scoring", "multiplicative"},
                    {"alignment", "global"},
                    {"type", "self-attentive"}},
    .example = R"("rows": 3)",
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::luna_entry
