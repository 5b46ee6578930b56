// SPDX-License-Identifier: Apache-2.0
// Feed-forward layer:  LN(x + f(x)),  or with norm "pre"  x + f(LN(x));  f(x) = act(x W1 + b1) W2 + b2
// Vaswani et al. 2017, arXiv:1706.03762
#include "catalogue/entry.h"

namespace attend::om_ffn_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Scope in = module.sized();
  const Var x = inputs["x"];  // [m d]
  in.label("m", x);
  const bool pre = in.text("norm") == "pre";
  const auto normed = [&](Var rows) {
    return layer_norm(rows, in.param("gamma"), in.param("beta"));
  };
  const Var into = pre ? let("\\operatorname{LN}(X)", normed(x)) : x;
  const Var hidden = let("H", in.activate(matmul(into, in.param("W1")) + in.param("b1")));  // [m a]
  const Var sum = x + matmul(hidden, in.param("W2")) + in.param("b2");                      // [m d]
  return {{out::output, let("Y", pre ? sum : normed(sum)), "m d"}};
}

Row normed_by_loops(const ReferenceIn& in, Row x) {
  const auto count = static_cast<double>(x.size());
  double mean = 0, variance = 0;
  for (const double number : x) mean += number / count;
  for (const double number : x) variance += (number - mean) * (number - mean) / count;
  for (std::size_t c = 0; c < x.size(); ++c)
    x[c] = (x[c] - mean) / std::sqrt(variance + 1e-5) * in.parameter("gamma")(c) +
           in.parameter("beta")(c);
  return x;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const bool pre = in.text("norm") == "pre";
  Array y(x.shape);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    Row hidden = mapped(pre ? normed_by_loops(in, x.row(i)) : x.row(i), in.parameter("W1"));
    for (std::size_t c = 0; c < hidden.size(); ++c)
      hidden[c] = activate(in.text("act"), hidden[c] + in.parameter("b1")(c));
    Row sum = mapped(hidden, in.parameter("W2"));
    for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += in.parameter("b2")(c) + x(i, c);
    if (!pre) sum = normed_by_loops(in, sum);
    for (std::size_t c = 0; c < sum.size(); ++c) y(i, c) = sum[c];
  }
  return {{"output", y}};
}

extern const Mechanism record{
    .id = "om-ffn",
    .parameters = {{"W1", "d a"},
                   {"b1", "a", Distribution::zero},
                   {"W2", "a d"},
                   {"b2", "d", Distribution::zero},
                   {"gamma", "d", Distribution::one},
                   {"beta", "d", Distribution::zero}},
    .knobs = {size_knob("hidden", "a", "4*d", 1, 1024), activation_knob("relu"),
              choice_knob("norm", "post", {"post", "pre"})},
    .roles = {{"x", "m d"}},
    .behaviour = Structure{build}};
}  // namespace attend::om_ffn_entry
