// SPDX-License-Identifier: Apache-2.0
// Sinkhorn's normalisation as alignment: of exp((E + g) / T), rows and columns are divided by their
// sums in turn, k times; rows come last, so that they sum to 1
// Sinkhorn 1964; Tay et al. 2020 (Sparse Sinkhorn Attention), arXiv:2002.11296
#include "catalogue/entry.h"

namespace attend::sinkhorn_normalise_entry {
namespace {

constexpr double lowest = -3e38;

// Logarithms with their exponentials' sum along one axis taken out; excluded entries rest at 0.
Var normalised(Var L, Var mask, long axis) {
  const Var shifted = L - detach(max(exclude(L, mask, lowest), axis, true));
  const Var total = sum(exp(exclude(shifted, mask, lowest)), axis, true);
  const Var some = greater(total, scalar(total, 0));
  return exclude(shifted - log(where(some, total, scalar(total, 1))), mask, 0);
}

Var build(const AlignmentIn& in) {  // scores [m n]
  Var scores = in.scores;
  const Var noise = in.param_if("gumbel", "gumbel");  // [m n]
  if (noise) scores = scores + in.rows_of(noise);
  // From the row's best, so that large scores keep their digits.
  const Var best = max(exclude(scores, in.mask, lowest), -1, true);
  Var L =
      let("L", exclude((scores - detach(best)) / in.scalar("temperature"), in.mask, 0));  // [m n]
  for (std::size_t k = 1; k <= in.integer("iterations"); ++k) {
    L = let("L_{" + std::to_string(k) + "}", normalised(normalised(L, in.mask, -1), in.mask, -2));
  }
  return softmax(L, in.mask);  // [m n]
}

using Sum = long double;

// log sum exp of what `term` gives below `count`; 0 where all is excluded (-infinity).
template <class Term>
Sum log_sum(std::size_t count, Term term) {
  Sum top = -HUGE_VALL, total = 0;
  for (std::size_t i = 0; i < count; ++i) top = std::max<Sum>(top, term(i));
  for (std::size_t i = 0; i < count; ++i) total += top > -HUGE_VALL ? std::exp(term(i) - top) : 0;
  return total > 0 ? top + std::log(total) : 0;
}

}  // namespace

// By potentials, one a row and one a column: weights = exp(L_ij - f_i - g_j); L stays as it is.
Arrays reference(const ReferenceIn& in) {
  const Array& e = in["scores"];
  const std::size_t m = e.rows(), n = e.cols();
  std::vector<Sum> L(m * n), f(m, 0), g(n, 0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const double noise = in.parameters.contains("gumbel") ? in.parameter("gumbel")(i, j) : 0;
      const Sum score = (static_cast<Sum>(e(i, j)) + noise) / in.number("temperature");
      L[i * n + j] = in.allowed(i, j) ? score : -HUGE_VALL;
    }
  }
  const auto rows = [&] {
    for (std::size_t i = 0; i < m; ++i)
      f[i] = log_sum(n, [&](std::size_t j) { return L[i * n + j] - g[j]; });
  };
  for (double k = 0; k < in.number("iterations"); ++k) {
    rows();
    for (std::size_t j = 0; j < n; ++j)
      g[j] = log_sum(m, [&](std::size_t i) { return L[i * n + j] - f[i]; });
  }
  rows();
  Array weights(e.shape);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      weights(i, j) = static_cast<double>(std::exp(L[i * n + j] - f[i] - g[j]));
  }
  return {{"weights", weights}};
}

extern const Mechanism record{
    .id = "sinkhorn-normalise",
    .aliases = {"sinkhorn"},
    .parameters = {{"gumbel", "m n", Distribution::gumbel}},
    .knobs = {integer_knob("iterations", 8., 0, 100).at_least(0),
              number_knob("temperature", .75, .01, 10).above(0).log_scale(),
              flag_knob("gumbel", false)},
    .needs_all_rows = true,
    .behaviour = Alignment{build}};
}  // namespace attend::sinkhorn_normalise_entry
