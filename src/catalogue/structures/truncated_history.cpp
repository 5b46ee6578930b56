// SPDX-License-Identifier: Apache-2.0
// Truncated history attention: a step looks back at the last N_m states, already enriched,
//   s_i = tanh(h_i W1 + h_t W2 + h~_i W3) w,  h^_t = sum_i softmax(s)_i h~_i,
//   h~_t = h_t + relu(h^_t),  i = t - N_m .. t - 1
// Li et al. 2018, truncated history attention, arXiv:1805.00760
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"
#include "ops/scan.h"

namespace attend::truncated_history_entry {
namespace {

// A table that fills row by row: [n c], row t being `row` [1 c].
Var with_row(Var table, Var here, Var row) { return table + here * row; }

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const auto [W1, W2, W3, w] = in.params<4>();
  const std::size_t n = x.extent(0);
  const Var past = let("H W_1", matmul(x, W1)), now = let("H W_2", matmul(x, W2));  // [n a]
  const Var back = iota(in.graph(), n, 2) - iota(in.graph(), n);  // [n n], how far i lies before t
  const Var window = greater(back, scalar(back, 0)) * (1 - greater(back, in.scalar("N_m")));
  ScanRecorder steps(in.graph(), n);
  const auto table = [&](const char* name, std::size_t width) {
    return steps.state({name, zeros(in.graph(), {n, width})});
  };
  const Var states = table("\\tilde{H}", x.extent(1));  // those enriched so far
  const Var enriched = table("\\tilde{H} W_3", past.extent(1));
  const auto row = [&](const char* name, Var rows) { return expand(steps.row({name, rows}), 0); };
  const Var near = row("M_t", window);                                 // [1 n]
  const Var here = transpose(row("t", equal(back, scalar(back, 0))));  // [n 1], 1 at row t
  const Var inner = past + row("h_t W_2", now) + enriched;             // [n a]
  const Var s = let("s", matmul(w, tanh(inner), false, true) * near);
  const Var a = let("a", softmax(s, near));
  const Var seen = let("\\hat{h}", matmul(a, states));
  const Var state = let("\\tilde{h}", row("h_t", x) + relu(seen));
  steps.next(states, with_row(states, here, state));
  steps.next(enriched, with_row(enriched, here, matmul(state, W3)));
  for (const Var one : {s, a, seen, state}) steps.output(one);
  const Scanned all = steps.finish();
  const auto rows = [&](std::size_t k) { return squeeze(all.outputs[k], 1); };
  return {{out::scores, let("E", rows(0)), "n:query n"},
          {out::weights, let("A", rows(1)), "n:query n"},
          {out::context, let("\\hat{H}", rows(2)), "n d"},
          {out::output, let("\\tilde{H}", rows(3)), "n d"}};
}

}  // namespace

// Row by row over full tables; keys outside the window are left out of the softmax.
Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  Array e({x.rows(), x.rows()}), a(e.shape), seen(x.shape), state = x;
  for (std::size_t t = 0; t < x.rows(); ++t) {
    const auto inside = [&](std::size_t i) {
      return i < t && static_cast<double>(t - i) <= in.number("N_m");
    };
    const Row now = mapped(x.row(t), in.parameter("W2"));
    for (std::size_t i = 0; i < t; ++i) {
      if (!inside(i)) continue;
      const Row past = plus(now, mapped(x.row(i), in.parameter("W1")));
      const Row sum = plus(past, mapped(state.row(i), in.parameter("W3")));
      e(t, i) = inner(in.parameter("w").data, activated(one_row(sum), "tanh").data);
    }
    const Row weights = soft(e.row(t), inside);
    for (std::size_t c = 0; c < x.cols(); ++c) {
      for (std::size_t i = 0; i < t; ++i) seen(t, c) += weights[i] * state(i, c);
      state(t, c) += std::max(seen(t, c), 0.0);
    }
    a.set(weights, t);
  }
  return {{"scores", e}, {"weights", a}, {"context", seen}, {"output", state}};
}

extern const Mechanism record{
    .id = "truncated-history",
    .parameters = {{"W1", "d a"}, {"W2", "d a"}, {"W3", "d a"}, {"w", "a"}},
    .knobs = {integer_knob("N_m", 5., 1, 16).at_least(0), size_knob("hidden", "a", "d", 1, 256)},
    .roles = {{"x", "n d"}},
    .laws = {.permutation = false},
    .coordinates = {{"scoring", "additive"}, {"alignment", "local"}, {"type", "self-attentive"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::truncated_history_entry
