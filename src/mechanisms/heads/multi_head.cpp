// SPDX-License-Identifier: Apache-2.0
// Multi-head attention:  head_t = Att(Q W_Q[t], K W_K[t], V W_V[t]),  C = [head_1; ..; head_h] W_O
// Vaswani et al. 2017, section 3.2.2, arXiv:1706.03762;
// Brauwers & Frasincar 2022, equations 38 to 40
#include <cmath>

#include "mechanisms/slots.h"

namespace attend {
namespace {

// x [n d] -> [h n p]
Var project(const HeadsIn& in, const char* name, Var x, const char* W, const char* b) {
  Var y = matmul(x, in.param(W));
  if (const Var bias = in.param_if(b, "bias")) y = y + expand(bias, -2);
  return let(name, y);
}

Triple split(const HeadsIn& in, Triple x) {      // [m dq] [n dk] [n dv]
  return {project(in, "Q", x.q, "W_Q", "b_Q"),   // [h m p]
          project(in, "K", x.k, "W_K", "b_K"),   // [h n p]
          project(in, "V", x.v, "W_V", "b_V")};  // [h n pv]
}

Var merge(const HeadsIn& in, Var heads) {  // [h m pv]
  const std::size_t h = heads.extent(0), m = heads.extent(1), pv = heads.extent(2);
  const Var joined =
      let("[\\text{heads}]", reshape(permute(heads, {1, 0, 2}), {m, h * pv}));  // [m h*pv]
  const Var context = matmul(joined, in.param("W_O"));                          // [m dc]
  const Var bias = in.param_if("b_O", "bias");
  return bias ? context + bias : context;
}

// x W[t] + b[t]; without a bias the row starts at zero.
Row project(const ReferenceIn& in, const Row& x, const std::string& side, std::size_t t) {
  const Array& W = in.parameter("W_" + side);
  Row y(W.cols(), 0);
  if (in.flag("bias")) y = in.parameter("b_" + side).row(t);
  for (std::size_t r = 0; r < x.size(); ++r) {
    for (std::size_t c = 0; c < y.size(); ++c) y[c] += x[r] * W(t, r, c);
  }
  return y;
}

// Each head by itself, with scaled dot and softmax inside; its block of W_O adds to the context.
Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &W_O = in.parameter("W_O");
  Array context({x.rows(), W_O.cols()});
  const std::size_t heads = in.parameter("W_Q").shape[0], pv = in.parameter("W_V").cols();
  for (std::size_t i = 0; in.flag("bias") && i < context.data.size(); ++i)
    context.data[i] = in.parameter("b_O").data[i % context.cols()];
  for (std::size_t t = 0; t < heads; ++t) {
    for (std::size_t i = 0; i < x.rows(); ++i) {
      const Row q = project(in, x.row(i), "Q", t);
      Row e(x.rows());
      for (std::size_t j = 0; j < e.size(); ++j)
        e[j] = inner(q, project(in, x.row(j), "K", t)) / std::sqrt(static_cast<double>(q.size()));
      const Row a = soft(e, [](std::size_t) { return true; });
      for (std::size_t j = 0; j < a.size(); ++j) {
        const Row v = project(in, x.row(j), "V", t);
        for (std::size_t c = 0; c < pv; ++c) {
          for (std::size_t o = 0; o < W_O.cols(); ++o)
            context(i, o) += a[j] * v[c] * W_O(t * pv + c, o);
        }
      }
    }
  }
  return {{"context", context}};
}

}  // namespace

namespace catalogue {
extern const Mechanism multi_head_mechanism;
const Mechanism multi_head_mechanism{
    .id = "multi-head",
    .title = "Multi-head",
    .formula =
        R"(\text{head}_t = \operatorname{Att}(Q W^Q_t, K W^K_t, V W^V_t),\quad C = [\text{head}_1;\dots;\text{head}_h]\,W_O)",
    .sentence = "Several small attentions side by side, each with its own view, joined by W_O.",
    .source = {"Vaswani et al.", 2017, "section 3.2.2", "https://arxiv.org/abs/1706.03762"},
    .parameters = {{"W_Q", "h dq p"},
                   {"W_K", "h dk p"},
                   {"W_V", "h dv pv"},
                   {"W_O", "h*pv dc"},
                   {"b_Q", "h p", Distribution::zero},
                   {"b_K", "h p", Distribution::zero},
                   {"b_V", "h pv", Distribution::zero},
                   {"b_O", "dc", Distribution::zero}},
    .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "Heads", "h", 4., 1, 16), flag_knob("bias", "Biases", false)},
    .needs_query = true,
    .behaviour = Heads{split, merge},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
