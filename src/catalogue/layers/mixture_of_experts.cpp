// SPDX-License-Identifier: Apache-2.0
// Mixture of experts: a router chooses `top` of E gated feed-forward layers for each row, by p = softmax(x W_r + b_r)
// or sigmoid(..), and adds their outputs by these numbers:  y = sum_e g_e F_e(x),  g_e = p_e of those chosen, else 0
// `normalised` divides g by its sum, `scale` multiplies it; `balanced` chooses by p + b_choice. A shared expert reads
// every row, times sigmoid(x w_shared) with `shared_gate`.
// Shazeer et al. 2017, equation 1, arXiv:1701.06538; shared experts and b_choice: DeepSeek-V3, equations 12 to 16,
// arXiv:2412.19437
#include "catalogue/entry.h"
#include "ops/ratio.h"

namespace attend::mixture_of_experts_entry {
namespace {

constexpr double bound = 7, steepness = 1.702;  // of `oss`, as swiglu has them

Var gated(const Scope& in, Var g, Var u) {
  if (in.text("variant") != "oss") return in.activate(g) * u;
  g = -maximum(-g, scalar(g, -bound));
  return g * sigmoid(steepness * g) * (clip(u, -bound, bound) + 1);
}

// Ties go to the expert with the lower index; the choice has no gradient.
Var chosen_experts(const Scope& in, Var p) {
  const Var by = detach(in.flag("balanced") ? p + in.param("b_choice") : p);
  const Var first = slice(argsort(by), -1, 0, in.integer("top"));    // [n k]
  return put(ones(in.graph(), first.shape()), first, p.extent(-1));  // [n E]
}

Var of_experts(const Scope& in, std::string_view name) {
  return expand(in.param(name), -2);
}  // [E 1 f]

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const Var z = let("z", matmul(x, in.param("W_r")) + in.param("b_r"));              // [n E]
  const Var p = let("p", in.text("router") == "softmax" ? softmax(z) : sigmoid(z));  // [n E]
  Var g = let("c", p * chosen_experts(in, p));                                       // [n E]
  if (in.flag("normalised")) g = ratio(g, sum(g, -1, true));
  g = let("g", g * in.scalar("scale"));  // [n E]
  const Var hidden =
      let("H", gated(in, matmul(x, in.param("W_gate")) + of_experts(in, "b_gate"),
                     matmul(x, in.param("W_up")) + of_experts(in, "b_up")));          // [E n f]
  const Var outputs = matmul(hidden, in.param("W_down")) + of_experts(in, "b_down");  // [E n d]
  Var y = sum(outputs * expand(transpose(g), -1), 0);                                 // [n d]
  if (in.flag("shared")) {
    const Var inner =
        let("I", gated(in, matmul(x, in.param("S_gate")), matmul(x, in.param("S_up"))));  // [n g]
    Var shared = matmul(inner, in.param("S_down"));                                       // [n d]
    if (in.flag("shared_gate"))
      shared = sigmoid(matmul(x, in.param("w_shared"), false, true)) * shared;
    y = y + let("S", shared);
  }
  return {{"routing", g, "n E:feature"}, {out::output, let("Y", y), "n d"}};
}

// One expert for one row: the matrices of expert e, or those of the shared one.
Row expert_by_loops(const ReferenceIn& in, const Row& x, const Array& gate, const Array& up,
                    const Array& down,
                    const std::function<double(const char*, std::size_t)>& bias) {
  Row hidden(gate.cols()), y(down.cols());
  for (std::size_t j = 0; j < hidden.size(); ++j) {
    double a = bias("b_gate", j), b = bias("b_up", j);
    for (std::size_t c = 0; c < x.size(); ++c) {
      a += x[c] * gate(c, j);
      b += x[c] * up(c, j);
    }
    if (in.text("variant") == "oss") {
      a = std::min(a, bound);
      hidden[j] = a / (1 + std::exp(-steepness * a)) * (std::min(std::max(b, -bound), bound) + 1);
    } else {
      hidden[j] = activate(in.text("act"), a) * b;
    }
  }
  for (std::size_t c = 0; c < y.size(); ++c) {
    y[c] = bias("b_down", c);
    for (std::size_t j = 0; j < hidden.size(); ++j) y[c] += hidden[j] * down(j, c);
  }
  return y;
}

}  // namespace

// Only the chosen experts are computed, row by row.
Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const std::size_t count = in.parameter("W_r").cols();
  Array routing({x.rows(), count}), output({x.rows(), x.cols()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    Row z = mapped(x.row(i), in.parameter("W_r"));
    for (std::size_t e = 0; e < count; ++e) z[e] += in.parameter("b_r")(e);
    Row p = softened(z);
    for (std::size_t e = 0; e < count; ++e)
      if (in.text("router") == "sigmoid") p[e] = 1 / (1 + std::exp(-z[e]));
    double sum = 0;
    std::vector<std::size_t> picked;
    while (picked.size() < in.integer("top")) {
      std::size_t best = count;
      const auto rank = [&](std::size_t e) {
        return p[e] + (in.flag("balanced") ? in.parameter("b_choice")(e) : 0);
      };
      for (std::size_t e = 0; e < count; ++e) {
        const bool taken = std::find(picked.begin(), picked.end(), e) != picked.end();
        if (!taken && (best == count || rank(e) > rank(best))) best = e;
      }
      picked.push_back(best);
      sum += p[best];
    }
    for (const std::size_t e : picked) {
      routing(i, e) = in.number("scale") * p[e] / (in.flag("normalised") ? sum : 1);
      const Row y = expert_by_loops(
          in, x.row(i), part_of(in.parameter("W_gate"), e), part_of(in.parameter("W_up"), e),
          part_of(in.parameter("W_down"), e),
          [&](const char* name, std::size_t j) { return in.parameter(name)(e, j); });
      for (std::size_t c = 0; c < y.size(); ++c) output(i, c) += routing(i, e) * y[c];
    }
    if (!in.flag("shared")) continue;
    const Row y =
        expert_by_loops(in, x.row(i), in.parameter("S_gate"), in.parameter("S_up"),
                        in.parameter("S_down"), [](const char*, std::size_t) { return 0.; });
    double gate = 1;
    if (in.flag("shared_gate"))
      gate = activate("sigmoid", inner(x.row(i), in.parameter("w_shared").data));
    for (std::size_t c = 0; c < y.size(); ++c) output(i, c) += gate * y[c];
  }
  return {{"routing", routing}, {"output", output}};
}

extern const Mechanism record{
    .id = "mixture-of-experts",
    .aliases = {"moe", "sparse-moe"},
    .parameters = {{"W_r", "d E"},
                   {"b_r", "E", Distribution::zero},
                   {"b_choice", "E", Distribution::zero},
                   {"W_gate", "E d f"},
                   {"W_up", "E d f"},
                   {"W_down", "E f d"},
                   {"b_gate", "E f", Distribution::zero},
                   {"b_up", "E f", Distribution::zero},
                   {"b_down", "E d", Distribution::zero},
                   {"S_gate", "d g"},
                   {"S_up", "d g"},
                   {"S_down", "g d"},
                   {"w_shared", "d"}},
    .knobs = {activation_knob("silu"), choice_knob("variant", "plain", {"plain", "oss"}),
              size_knob("experts", "E", 4., 1, 64),
              integer_knob("top", 2., 1, 8).at_least(1).at_most("experts"),
              choice_knob("router", "softmax", {"softmax", "sigmoid"}),
              flag_knob("normalised", true), number_knob("scale", 1., .1, 10),
              flag_knob("balanced", false), size_knob("hidden", "f", "ceil(8*d/3)", 1, 1024),
              flag_knob("shared", false), size_knob("shared_hidden", "g", "f", 1, 1024),
              flag_knob("shared_gate", false)},
    .roles = {{"x", "n d"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::mixture_of_experts_entry
