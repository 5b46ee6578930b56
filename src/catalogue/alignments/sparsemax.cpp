// SPDX-License-Identifier: Apache-2.0
// Sparsemax: the Euclidean projection of a row of scores on the simplex,  a_j = max(0, e_j - tau)
// Martins, Astudillo 2016, algorithm 1, arXiv:1602.02068
#include "catalogue/entry.h"

namespace attend::sparsemax_entry {
namespace {

constexpr double lowest = -3e38;

Var build(const AlignmentIn& in) {  // scores [m n]
  // A search for the threshold needs no order.
  std::vector<Var> shorter{entmax(in.scores, scalar(in.scores, 1), in.mask), in.scores};
  const Var top = max(exclude(in.scores, in.mask, lowest), -1, true);  // [m 1]
  // Scores below the row's best: a gap of 1 already gets weight 0, so an excluded key is 2
  // below.
  const Var z = let("E - \\max E", exclude(in.scores - top, in.mask, -2));         // [m n]
  const Var sorted = let("z_{\\text{sorted}}", take(z, argsort(z)));               // [m n]
  const Var total = let("\\sum_{i \\le k} z_{(i)}", cumsum(sorted, -1));           // [m n]
  const Var rank = iota(in.graph(), z.extent(-1)) + 1;                             // [n]
  const Var support = let("k", sum(greater(1 + rank * sorted, total), -1, true));  // [m 1]
  const Var tau = let("\\tau", (take(total, support - 1) - 1) / support);          // [m 1]
  const Var positive = relu(z - tau);                                              // [m n]
  const Var weights = in.mask ? positive * in.mask : positive;
  if (in.rows != nullptr) return weights;
  if (in.mask) shorter.push_back(in.mask);
  return stated(weights, shorter_intent(), shorter);
}

// The threshold by bisection on sum_j max(0, e_j - tau) = 1.
Row project(const Row& e, const std::function<bool(std::size_t)>& allowed) {
  double top = -1e300;
  for (std::size_t j = 0; j < e.size(); ++j) top = allowed(j) ? std::max(top, e[j]) : top;
  double low = top - 1, high = top;
  for (int step = 0; step < 200; ++step) {
    const double middle = (low + high) / 2;
    const double total = sum_over(
        e.size(), [&](std::size_t j) { return allowed(j) ? std::max(0.0, e[j] - middle) : 0; });
    (total > 1 ? low : high) = middle;
  }
  return row_by(e.size(),
                [&](std::size_t j) { return allowed(j) ? std::max(0.0, e[j] - high) : 0; });
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, const Row& e) {
    return project(e, [&](std::size_t j) { return in.allowed(i, j); });
  });
}

extern const Mechanism record{.id = "sparsemax", .behaviour = Alignment{build}};
}  // namespace attend::sparsemax_entry
