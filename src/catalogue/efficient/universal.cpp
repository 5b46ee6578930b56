// SPDX-License-Identifier: Apache-2.0
// Universal Transformer: one layer again and again, each time with the step's own coordinates,
//   A = LN(H + P^t + MHA(H + P^t)),  H = LN(A + relu(A W1 + b1) W2 + b2),  t = 1 .. T
// Dehghani et al. 2019, section 2.1, arXiv:1807.03819
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::universal_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("m", x);
  in.label("n", x);
  Graph& graph = in.graph();
  const std::size_t n = x.extent(-2), d = x.extent(-1), steps = in.integer("steps");
  const Var mask = in.flag("causal") ? keys_so_far(graph, n, n) : Var{};
  const HeadMaps maps = head_maps(in);
  const Var places = sinusoid(iota(graph, n), d);  // [n d]
  Var h = x;
  Looked heads;
  Tensors results;
  for (std::size_t t = 1; t <= steps; ++t) {
    const StepSuffix suffix(graph, "^{" + std::to_string(t) + "}");
    const Var step = sinusoid(fill(graph, {1}, static_cast<double>(t)), d);  // [1 d]
    const Var rows = let("H", h + places + step);                            // [n d]
    heads = attend_in_heads({rows, rows, rows}, maps, mask);
    const Var a = let("A", layer_norm(rows + matmul(heads.context, in.param("W_O")),
                                      in.param("gamma1"), in.param("beta1")));
    const Var inner = matmul(relu(matmul(a, in.param("W1")) + in.param("b1")), in.param("W2"));
    h = let("H", layer_norm(a + inner + in.param("b2"), in.param("gamma2"), in.param("beta2")));
    results.add({out::weights.as("weights." + std::to_string(t - 1)), heads.weights, "h m n"});
  }
  return results + Tensors{{out::scores, heads.scores, "h m n"},
                           {out::weights, heads.weights, "h m n"},
                           {out::result, h, "m d"}};
}

// The waves of place i and of step t, column c.
double coordinate(std::size_t i, std::size_t t, std::size_t c, std::size_t d) {
  const double turn = std::pow(10000.0, -static_cast<double>(c - c % 2) / static_cast<double>(d));
  const double shift = c % 2 == 0 ? 0 : std::acos(-1.0) / 2;
  return std::sin(static_cast<double>(i) * turn + shift) +
         std::sin(static_cast<double>(t) * turn + shift);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array h = in["x"];
  Arrays out;
  for (std::size_t t = 1; t <= in.integer("steps"); ++t) {
    for (std::size_t i = 0; i < h.rows(); ++i)
      for (std::size_t c = 0; c < h.cols(); ++c) h(i, c) += coordinate(i, t, c, h.cols());
    const AttentionTables heads = attended_in_heads(
        h, h, {in.parameter("W_Q"), in.parameter("W_K"), in.parameter("W_V")},
        [&](std::size_t i, std::size_t j) { return !in.flag("causal") || j <= i; });
    const Array a = normed(plus(h, product(heads.context, in.parameter("W_O"))),
                           in.parameter("gamma1"), in.parameter("beta1"));
    const Array hidden = activated(affine(a, in.parameter("W1"), in.parameter("b1")), "relu");
    const Array fed = affine(hidden, in.parameter("W2"), in.parameter("b2"));
    h = normed(plus(a, fed), in.parameter("gamma2"), in.parameter("beta2"));
    out["weights." + std::to_string(t - 1)] = out["weights"] = heads.weights;
  }
  out["output"] = h;
  return out;
}

extern const Mechanism record{
    .id = "universal",
    .aliases = {"universal-transformer"},
    .parameters = {{"W_Q", "h d p"},
                   {"W_K", "h d p"},
                   {"W_V", "h d pv"},
                   {"W_O", "h*pv d"},
                   {"gamma1", "d", Distribution::one},
                   {"beta1", "d", Distribution::zero},
                   {"W1", "d a"},
                   {"b1", "a", Distribution::zero},
                   {"W2", "a d"},
                   {"b2", "d", Distribution::zero},
                   {"gamma2", "d", Distribution::one},
                   {"beta2", "d", Distribution::zero}},
    .symbols = {{"p", "ceil(d/h)"}, {"pv", "p"}},
    .knobs = {integer_knob("steps", 4., 1, 12).at_least(1), size_knob("count", "h", 2., 1, 16),
              size_knob("hidden", "a", "4*d", 1, 256), flag_knob("causal", false)},
    .roles = {{"x", "n d"}},
    .laws = {.permutation = false},
    .coordinates = {{"scoring", "scaled multiplicative"},
                    {"alignment", "global"},
                    {"type", "self-attentive"},
                    {"multiplicity", "multi-head"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::universal_entry
