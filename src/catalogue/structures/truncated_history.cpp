// SPDX-License-Identifier: Apache-2.0
// Truncated history attention: a step looks back at the last N_m states, already enriched,
//   s_i = tanh(h_i W1 + h_t W2 + h~_i W3) w,  h^_t = sum_i softmax(s)_i h~_i,
//   h~_t = h_t + relu(h^_t),  i = t - N_m .. t - 1
// Li et al. 2018, truncated history attention, arXiv:1805.00760
#include <algorithm>
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

// A row [1 count] set into a row [1 n] of zeros, from `start` on.
Var placed(Var part, std::size_t start, std::size_t n) {
  std::vector<Var> pieces{part};
  if (start > 0) pieces.insert(pieces.begin(), zeros(part.graph(), {1, start}));
  const std::size_t after = n - start - part.extent(-1);
  if (after > 0) pieces.push_back(zeros(part.graph(), {1, after}));
  return concat(pieces, -1);
}

void build(const ModuleIn& in) {
  const Var x = in.need("x");  // [n d]
  in.label("n", in.port("x"));
  const Scope sized = in.sized();
  const auto [W1, W2, W3, w] = sized.params<4>();
  const std::size_t n = x.extent(0), reach = in.integer("N_m");
  const Var past = let("H W_1", matmul(x, W1)), now = let("H W_2", matmul(x, W2));  // [n a]
  std::vector<Var> scores, weights, contexts, states, mapped_states;
  for (std::size_t t = 0; t < n; ++t) {
    in.graph().step_suffix = "^{(" + std::to_string(t) + ")}";
    const std::size_t start = t - std::min(t, reach);
    Var state = row(x, t);
    if (start == t) {  // nothing to look back at
      scores.push_back(zeros(in.graph(), {1, n}));
      weights.push_back(scores.back());
      contexts.push_back(zeros(in.graph(), {1, x.extent(1)}));
    } else {
      const auto window = [&](const std::vector<Var>& rows) {
        return concat({rows.begin() + static_cast<long>(start), rows.end()}, -2);
      };
      const Var inner = slice(past, -2, start, t) + row(now, t) + window(mapped_states);
      const Var s = let("s", matmul(w, tanh(inner), false, true));  // [1 window]
      const Var a = softmax(s);
      scores.push_back(placed(s, start, n));
      weights.push_back(placed(a, start, n));
      contexts.push_back(let("\\hat{h}", matmul(a, window(states))));  // [1 d]
      state = state + relu(contexts.back());
    }
    states.push_back(let("\\tilde{h}", state));
    mapped_states.push_back(matmul(state, W3));
  }
  in.graph().step_suffix.clear();
  in.output(out::scores, let("E", concat(scores, -2)), "n n");
  in.output(out::weights, let("A", concat(weights, -2)), "n n");
  in.output(out::context, let("\\hat{H}", concat(contexts, -2)), "n d");
  in.output(out::output, let("\\tilde{H}", concat(states, -2)), "n d");
}

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
      const Row past = mapped(x.row(i), in.parameter("W1"));
      const Row enriched = mapped(state.row(i), in.parameter("W3"));
      for (std::size_t u = 0; u < now.size(); ++u)
        e(t, i) += in.parameter("w")(u) * std::tanh(past[u] + now[u] + enriched[u]);
    }
    const Row weights = soft(e.row(t), inside);
    for (std::size_t c = 0; c < x.cols(); ++c) {
      for (std::size_t i = 0; i < t; ++i) seen(t, c) += weights[i] * state(i, c);
      state(t, c) += std::max(seen(t, c), 0.0);
    }
    for (std::size_t i = 0; i < t; ++i) a(t, i) = weights[i];
  }
  return {{"scores", e}, {"weights", a}, {"context", seen}, {"output", state}};
}

}  // namespace

namespace catalogue {
extern const Entry truncated_history_entry;
const Entry truncated_history_entry{
    .words =
        {.title = "Truncated history",
         .formula =
             R"(s_i = \tanh(h_i W_1 + h_t W_2 + \tilde{h}_i W_3)\,w^{\top},\quad \hat{h}_t = \sum_{i=t-N_m}^{t-1} \operatorname{softmax}(s)_i\,\tilde{h}_i,\quad \tilde{h}_t = h_t + \operatorname{relu}(\hat{h}_t))",
         .sentence =
             "Each step attends to the last N_m steps and adds what it found to its own state; "
             "later steps then look back at these enriched states.",
         .note = "Scores outside the window are shown as 0; they take no part.",
         .source = {"Li et al.", 2018, "truncated history attention",
                    "https://arxiv.org/abs/1805.00760"}},
    .record = {.id = "truncated-history",
               .parameters = {{"W1", "d a"}, {"W2", "d a"}, {"W3", "d a"}, {"w", "a"}},
               .knobs = {integer_knob("N_m", "Steps back", 5., 1, 16).at_least(0),
                         size_knob("hidden", "Hidden width", "a", "d", 1, 256)},
               .roles = {{"x", "n d"}},
               .laws = {.permutation = false},
               .coordinates = {{"scoring", "additive"},
                               {"alignment", "local"},
                               {"type", "self-attentive"}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
