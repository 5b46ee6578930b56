// SPDX-License-Identifier: Apache-2.0
// Constrained softmax:  argmin KL(p || softmax(e))  s.t.  p <= u, sum p = 1;
//   p_j = u_j where the cap binds, elsewhere in proportion to exp(e_j)
// Without u the caps of step t are what earlier steps left of a key's fertility.
// Martins, Kreutzer 2017 (Learning What's Easy), EMNLP 2017
#include "catalogue/entry.h"
#include "catalogue/parts/alignments/caps.h"

namespace attend::constrained_softmax_entry {
namespace {

Var build(const AlignmentIn& in) {   // scores [.. 1 n], one row at a time
  const Var u = let("u", caps(in));  // [.. 1 n], 0 where masked
  const Var zero = scalar(u, 0);
  const Var open = greater(u, zero);  // [.. 1 n]
  const Var log_u = log(where(open, u, zero + 1));
  // Scaled until cap r is just reached, the weights are min(u_j, exp(e_j - e_r) u_r), row r. If
  // they sum to at most 1, the true scale is at least that large, and cap r binds.
  const Var reach = in.scores - transpose(in.scores) + transpose(log_u);  // [.. n n]
  const Var below = exp(-maximum(-reach, -log_u)) * open;                 // [.. n n]
  const Var total = transpose(sum(below, -1, true));                      // [.. 1 n]
  const Var fits = 1 - greater(total, zero + 1);
  const Var bound = let("\\text{at cap}", open * fits * greater(zero + 1, u));  // [.. 1 n]
  const Var taken = sum(bound * u, -1, true);                                   // [.. 1 1]
  return bound * u + (1 - taken) * softmax(in.scores, open * (1 - bound));
}

// The scale c of p_j = min(u_j, c exp(e_j)), found by bisection on its logarithm.
Row capped(const Row& e, const Row& u) {
  double low = 1e300, high = -1e300, total = 0;
  for (std::size_t j = 0; j < e.size(); ++j) {
    total += u[j];
    if (u[j] <= 0) continue;
    low = std::min(low, -e[j] - std::log(2.0 * static_cast<double>(e.size())));
    high = std::max(high, std::log(std::min(u[j], 1.0)) - e[j]);
  }
  if (total <= 1) return u;
  const auto at = [&](std::size_t j, double scale) {
    return u[j] <= 0 ? 0 : std::min(u[j], std::exp(std::min(e[j] + scale, 700.0)));
  };
  low = std::min(low, high) - 1;
  for (int step = 0; step < 300; ++step) {
    const double middle = (low + high) / 2;
    const double sum = sum_over(e.size(), [&](std::size_t j) { return at(j, middle); });
    (sum > 1 ? high : low) = middle;
  }
  return row_by(e.size(), [&](std::size_t j) { return at(j, low); });
}

}  // namespace

Arrays reference(const ReferenceIn& in) { return each_capped_row(in, capped); }

extern const Mechanism record{.id = "constrained-softmax",
                              .aliases = {"csoftmax"},
                              .parameters = {{"u", "n | m n"}},
                              .knobs = {number_knob("fertility", 2., 1, 4).at_least(0)},
                              .recurrent = true,
                              .laws = {.rows_sum_to_one = false, .permutation = true},
                              .behaviour = Alignment{build}};
}  // namespace attend::constrained_softmax_entry
