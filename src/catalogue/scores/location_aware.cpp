// SPDX-License-Identifier: Apache-2.0
// Location-aware score:  f = a_{t-1} * filters,  e_tj = tanh(q_t W + k_j V + f_j U + b) . w
// Chorowski et al. 2015 (Attention-Based Models for Speech Recognition), equations 8 and 9,
// arXiv:1506.07503
#include "catalogue/entry.h"

namespace attend::location_aware_entry {
namespace {

// The weights of the step before, [1 n].
Var weights_before(const ScoreIn& in) {
  return in.past().weights(in.weights_like(in.param("initial")));
}

// Each key's surroundings in a: out[k, j] = a[j + k - (width-1)/2], zero outside.  [width n]
Var surroundings(Var a, std::size_t width) {
  const std::size_t side = (width - 1) / 2;
  Shape edge = a.shape();
  edge.back() = side;
  const Var nothing = zeros(a.graph(), edge);
  const Var padded = side == 0 ? a : concat({nothing, a, nothing}, -1);  // [1 n+width-1]
  return take(padded, iota(a.graph(), a.extent(-1)) + iota(a.graph(), width, 2));
}

Var build(const ScoreIn& in) {  // q [1 dq], one row at a time; k [n dk]
  const auto [filters, W, V, U, b, w] = in.params<6>();
  const std::size_t width = filters.extent(-1);
  if (width % 2 == 0) {
    refuse("the filters need a centre, so their width must be odd; they are " +
           std::to_string(width) + " wide");
  }
  const Var keys = let("K V", matmul(in.k, V));  // [n a], once for all rows
  const Var f = let("F", matmul(filters, surroundings(weights_before(in), width)));  // [f n]
  const Var h = let("H", tanh(keys + matmul(f, U, true) + (matmul(in.q, W) + b)));   // [n a]
  return matmul(w, h, false, true);                                                  // [1 n]
}

Var state(const ScoreIn& in) { return squeeze(weights_before(in), -2); }

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &filters = in.parameter("filters");
  const auto n = static_cast<long>(k.rows()), half = static_cast<long>(filters.cols() / 2);
  const Array asks = affine(q, in.parameter("W"), in.parameter("b"));
  Array e({q.rows(), k.rows()}), weights(e.shape), state({k.rows()});
  state.data = in.parameter("initial").data;
  for (std::size_t t = 0; t < q.rows(); ++t) {
    Array f({k.rows(), filters.rows()});
    for (long j = 0; j < n; ++j) {
      for (long from = std::max(0L, j - half); from <= std::min(n - 1, j + half); ++from) {
        for (std::size_t c = 0; c < f.cols(); ++c)
          f(j, c) += filters(c, from - j + half) * state(from);
      }
    }
    const Array keys = plus(product(k, in.parameter("V")), product(f, in.parameter("U")));
    e.set(additive_scores(one_row(asks.row(t)), keys, in.parameter("w")).data, t);
    state.data = softened(e.row(t));
    weights.set(state.data, t);
  }
  return {{"scores", e}, {"weights", weights}, {"state", state}};
}

extern const Mechanism record{
    .id = "location-aware",
    .aliases = {"hybrid-attention"},
    .parameters = {{"filters", "f width"},
                   {"W", "dq a"},
                   {"V", "dk a"},
                   {"U", "f a"},
                   {"b", "a", Distribution::zero},
                   {"w", "a"},
                   {"initial", "n", Distribution::zero}},
    .knobs = {size_knob("c", "f", 10., 1, 32), size_knob("width", "width", 21., 1, 99),
              size_knob("hidden", "a", "dq", 1, 256)},
    .recurrent = true,
    .laws = {.permutation = false, .content = false},
    .behaviour = Score{.build = build, .state = state}};
}  // namespace attend::location_aware_entry
