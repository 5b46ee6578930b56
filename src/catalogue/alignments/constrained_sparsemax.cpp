// SPDX-License-Identifier: Apache-2.0
// Constrained sparsemax:  argmin |p - e|^2  s.t.  0 <= p <= u, sum p = 1;
//   p_j = clip(e_j - tau, 0, u_j)
// Without u the caps of step t are what earlier steps left of a key's fertility.
// Malaviya, Ferreira, Martins 2018, arXiv:1805.08241
#include "catalogue/entry.h"
#include "catalogue/parts/alignments/caps.h"

namespace attend::constrained_sparsemax_entry {
namespace {

constexpr double lowest = -3e38;

// sum_j clip(gap_rj, 0, u_j): what the weights sum to at the threshold of row r.
Var total(Var gap, Var u) {  // [.. n n] [.. 1 n] -> [.. 1 n]
  return transpose(sum(-maximum(-relu(gap), -u), -1, true));
}

Var build(const AlignmentIn& in) {   // scores [.. 1 n], one row at a time
  const Var u = let("u", caps(in));  // [.. 1 n], 0 where masked
  const Var one = scalar(u, 1);
  // The sum falls as the threshold rises. Key r is at its cap if tau <= e_r - u_r, that is if the
  // sum is no more than 1 there; it is positive if the sum at e_r is less than 1.
  const Var gap = in.scores - transpose(in.scores);  // [.. n n]
  const Var at_cap = let("\\text{at cap}", (1 - greater(total(gap + transpose(u), u), one)) *
                                               greater(one, u));                     // [.. 1 n]
  const Var open = let("S", greater(one, total(gap, u)) * (1 - at_cap));             // [.. 1 n]
  const Var top = detach(max(exclude(in.scores, open, lowest), -1, true));           // [.. 1 1]
  const Var z = where(open, in.scores - top, zeros(in.graph(), in.scores.shape()));  // [.. 1 n]
  const Var taken = sum(at_cap * u, -1, true);                                       // [.. 1 1]
  const Var count = maximum(sum(open, -1, true), one);
  const Var tau = (sum(z, -1, true) + taken - 1) / count;  // [.. 1 1], below `top`
  return at_cap * u + open * (z - tau);
}

// The threshold by bisection on sum_j clip(e_j - tau, 0, u_j) = 1.
Row capped(const Row& e, const Row& u) {
  double low = 1e300, high = -1e300, sum = 0;
  for (std::size_t j = 0; j < e.size(); ++j) {
    sum += u[j];
    if (u[j] <= 0) continue;
    low = std::min(low, e[j] - u[j] - 1);
    high = std::max(high, e[j]);
  }
  if (sum <= 1) return u;
  const auto at = [&](std::size_t j, double tau) {
    return std::min(std::max(e[j] - tau, 0.0), u[j]);
  };
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    const double reached = sum_over(e.size(), [&](std::size_t j) { return at(j, middle); });
    (reached > 1 ? low : high) = middle;
  }
  return row_by(e.size(), [&](std::size_t j) { return at(j, high); });
}

}  // namespace

Arrays reference(const ReferenceIn& in) { return each_capped_row(in, capped); }

extern const Mechanism record{.id = "constrained-sparsemax",
                              .aliases = {"csparsemax"},
                              .parameters = {{"u", "n | m n"}},
                              .knobs = {number_knob("fertility", 2., 1, 4).at_least(0)},
                              .recurrent = true,
                              .laws = {.rows_sum_to_one = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::constrained_sparsemax_entry
