// SPDX-License-Identifier: Apache-2.0
// Reinforced self-attention: each token is kept or dropped as head and as dependent,
//   f_i = [x_i; mean x; x_i * mean x],  p_i = sigma(elu(f_i W1 + b1).w + b),  z_i = 1{u_i < p_i},
// and feature-wise self-attention runs over the pairs that are kept on both sides:
//   e_ij = c tanh((x_i W1 + x_j W2 + b1) / c),  s_i = sum_j softmax_j(e_ij) * x_j,
//   o = f * x + (1 - f) * s,  f = sigma(s W_s + x W_h + b_f)
// Shen et al. 2018 (Reinforced Self-Attention Network), arXiv:1801.10296
#include "catalogue/entry.h"
#include "catalogue/part_parameters.h"
#include "catalogue/parts/layers/vector_attention.h"

namespace attend::resa_entry {
namespace {

// One selection network: its probabilities [n] and which tokens it keeps [n].
struct Selection {
  Var probability, kept;
};
Selection select(const Scope& in, Var f, const std::string& side) {  // f [n 3d]
  const Shape n{f.extent(0)};
  const Var hidden =
      activation("elu", matmul(f, in.param("W1_" + side)) + in.param("b1_" + side));  // [n a]
  const Var logit = dot(hidden, in.param("w_" + side)) + in.param("b_" + side);       // [1 n]
  const Var p = let("p^{" + side + "}", sigmoid(reshape(logit, n)));                  // [n]
  if (in.given("z_" + side)) return {p, reshape(in.param("z_" + side), n)};
  return {p, let("z^{" + side + "}", greater(p, reshape(in.param("u_" + side), n)))};
}

// Which j a token i could attend to by place alone [n n]: never itself.
Var other_places(const Scope& in, std::size_t n) {
  const Var i = iota(in.graph(), n, 2), j = iota(in.graph(), n);
  const std::string& direction = in.text("direction");
  if (direction == "fw") return greater(i, j);
  if (direction == "bw") return greater(j, i);
  return 1 - equal(i, j);
}

Tensors build(const Scope& unsized, const Tensors& inputs) {
  const Scope in = unsized.assembler.enter(unsized.choice, unsized.dimensions);  // width a
  const Var x = inputs["x"];                                                     // [n d]
  const std::size_t n = x.extent(0);
  in.label("m", x);
  in.label("n", x);
  const Var average = mean(x, -2, true);                                         // [1 d]
  const Var f = concat({x, broadcast_to(average, x.shape()), x * average}, -1);  // [n 3d]
  const Selection head = select(in, f, "h"), dependent = select(in, f, "d");
  const Var open = other_places(in, n) * dependent.kept;    // [n n]
  const Var mask = let("M", expand(head.kept, -1) * open);  // [n n]
  const Scope pair = in.child("pair");
  const Var E = vector_scores(pair, x);                                    // [n n d]
  Var weights = permute(softmax(permute(E, {2, 0, 1}), mask), {1, 2, 0});  // [n n d]
  if (in.flag("keep-unselected")) {  // a token that is no head takes the mean of what is open to it
    const Var count = sum(open, -1, true);  // [n 1]
    const Var even = (1 - expand(head.kept, -1)) * open / maximum(count, scalar(count, 1));
    weights = weights + expand(even, -1);
  }
  weights = let("A", weights);
  const Var s = vector_context(weights, x);  // [n d]
  const auto [gate, u] = fuse_with(pair, x, s);
  return {{"probability_h", head.probability, "n"},
          {"probability_d", dependent.probability, "n"},
          {out::mask, mask, "m n"},
          {out::scores, E, "m n dv"},
          {out::weights, weights, "m n dv"},
          {out::context, s, "m dv"},
          {out::gate, gate, "m dv"},
          {out::output, let("O", u), "m dv"}};
}

Array probabilities(const ReferenceIn& in, const std::string& side) {
  const Array& x = in["x"];
  const auto parameter = [&](const char* name) -> const Array& {
    return in.parameter(name + side);
  };
  const Array average = mean_of_rows(x);
  const Array hidden = activated(
      affine(beside({x, average, times(x, average)}), parameter("W1_"), parameter("b1_")), "elu");
  Array p({x.rows()});
  for (std::size_t i = 0; i < x.rows(); ++i)
    p(i) = activate("sigmoid", inner(hidden.row(i), parameter("w_").data) + parameter("b_")());
  return p;
}

constexpr auto own_parameters = std::to_array<Parameter>({{"W1_h", "3*d a"},
                                                          {"b1_h", "a", Distribution::zero},
                                                          {"w_h", "a"},
                                                          {"b_h", "", Distribution::zero},
                                                          {"W1_d", "3*d a"},
                                                          {"b1_d", "a", Distribution::zero},
                                                          {"w_d", "a"},
                                                          {"b_d", "", Distribution::zero},
                                                          {"u_h", "n", Distribution::uniform},
                                                          {"u_d", "n", Distribution::uniform},
                                                          {"z_h", "n", Distribution::bernoulli},
                                                          {"z_d", "n", Distribution::bernoulli}});

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t n = x.rows(), d = x.cols();
  const Array p_h = probabilities(in, "h"), p_d = probabilities(in, "d");
  const auto kept = [&](const std::string& side, const Array& p, std::size_t i) {
    return in.parameters.contains("z_" + side) ? in.parameter("z_" + side)(i) != 0
                                               : in.parameter("u_" + side)(i) < p(i);
  };
  Array mask({n, n}), weights({n, n, d}), context({n, d}), output({n, d});
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_head = kept("h", p_h, i);
    const Row a = mapped(x.row(i), in.parameter("pair.W1"));
    Array e({n, d});
    double count = 0;
    std::vector<bool> open(n);
    for (std::size_t j = 0; j < n; ++j) {
      const std::string& to = in.text("direction");
      open[j] = (to == "fw" ? j < i : to == "bw" ? j > i : j != i) && kept("d", p_d, j);
      mask(i, j) = open[j] && is_head ? 1 : 0;
      count += open[j] ? 1 : 0;
      const Row b = mapped(x.row(j), in.parameter("pair.W2"));
      for (std::size_t c = 0; c < d; ++c) {
        const double sum = a[c] + b[c] + in.parameter("pair.b1")(c);
        e(j, c) = in.number("c") * activate("tanh", sum / in.number("c"));
      }
    }
    for (std::size_t c = 0; c < d; ++c) {
      const Row column = row_by(n, [&](std::size_t j) { return e(j, c); });
      const Row w = soft(column, [&](std::size_t j) { return mask(i, j) != 0; });
      for (std::size_t j = 0; j < n; ++j) {
        weights(i, j, c) = w[j];
        if (!is_head && open[j] && in.flag("keep-unselected")) weights(i, j, c) = 1 / count;
        context(i, c) += weights(i, j, c) * x(j, c);
      }
    }
    const Row from_s = mapped(context.row(i), in.parameter("pair.W_s"));
    const Row from_x = mapped(x.row(i), in.parameter("pair.W_h"));
    for (std::size_t c = 0; c < d; ++c) {
      const double f = activate("sigmoid", from_s[c] + from_x[c] + in.parameter("pair.b_f")(c));
      output(i, c) = f * x(i, c) + (1 - f) * context(i, c);
    }
  }
  return {{"probability_h", p_h}, {"probability_d", p_d}, {"mask", mask},
          {"weights", weights},   {"context", context},   {"output", output}};
}

extern const Mechanism record{
    .id = "resa",
    .aliases = {"mask-selection", "resan"},
    .parameters = parameters_of<own_parameters, under<"pair", pair_parameters>,
                                under<"pair", fusion_parameters>>,
    .knobs = {size_knob("hidden", "a", "d", 1, 256), number_knob("c", 5., 0.5, 20).above(0),
              choice_knob("direction", "none", {"none", "fw", "bw"}),
              flag_knob("keep-unselected", false)},
    .roles = {{"x", "n d"}},
    .coordinates = {{"dimensionality", "multi-dimensional"},
                    {"scoring", "additive"},
                    {"alignment", "reinforced"},
                    {"type", "self-attentive"}},
    .differentiable = false,
    .behaviour = Structure{build}};
}  // namespace attend::resa_entry
