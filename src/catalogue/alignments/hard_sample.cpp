// SPDX-License-Identifier: Apache-2.0
// Hard attention by sampling:  p = softmax(e), s ~ Cat(p), a = onehot(s), averaged over N draws
// Xu et al. 2015 (Show, Attend and Tell), equations 8 and 9, arXiv:1502.03044;
// estimators: Williams 1992 (REINFORCE), doi:10.1007/BF00992696; Bengio, Leonard, Courville 2013
// (straight-through), arXiv:1308.3432
// Brauwers & Frasincar 2022, equation 26
#include "catalogue/entry.h"

namespace attend::hard_sample_entry {
namespace {

// The mean of the draws [m N n], whose gradient is taken from what the draws' chances p [m n]
// do: REINFORCE adds draw times grad log p(draw); the baseline takes the mean draw off first.
Var estimated(const std::string& estimator, Var draws, Var p) {
  const Var plain = mean(draws, -2);  // [m n]
  if (estimator == "none") return plain;
  if (estimator == "straight-through") return plain + (p - detach(p));
  const Var chance = sum(draws * pair_rows(p), -1, true);  // [m N 1]
  const Var drawn = greater(chance, scalar(chance, 0));
  const Var log_p = let("\\log p(s)", log(where(drawn, chance, scalar(chance, 1))));
  const Var gain = estimator == "reinforce" ? draws : draws - detach(pair_rows(p));
  return plain + mean(gain * (log_p - detach(log_p)), -2);
}

Var build(const AlignmentIn& in) {  // scores [m n]
  const std::size_t n = in.scores.extent(-1);
  const Var u = transpose(in.rows_of(transpose(in.param("u"))));  // [N m]
  const Var p = let("p", softmax(in.scores, in.mask));            // [m n]
  // s = the first j whose cumulated probability passes u; rounding must not carry it past the last
  // key allowed.
  const Var passed = greater(pair_rows(cumsum(p, -1)), expand(transpose(u), -1));  // [m N n]
  const Var last = max(in.key_index() * greater(p, scalar(p, 0)), -1, true);       // [m 1]
  const Var drawn = static_cast<double>(n) - sum(passed, -1);                      // [m N]
  const Var s = let("s", -maximum(-drawn, -last));                                 // [m N]
  const Var average = let("\\bar a", estimated(in.text("estimator"), one_hot(s, n), p));
  return in.mask ? average * in.mask : average;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& u = in.parameter("u");
  return each_row(in, [&](std::size_t i, const Row& e) {
    const Row p = soft(e, [&](std::size_t j) { return in.allowed(i, j); });
    Row weights(e.size(), 0);
    for (std::size_t draw = 0; draw < u.rows(); ++draw) {
      double left = u(draw, i);
      std::size_t chosen = e.size();
      for (std::size_t j = 0; j < e.size() && left >= 0; ++j) {
        if (p[j] > 0) chosen = j;
        left -= p[j];
      }
      if (chosen < e.size()) weights[chosen] += 1.0 / static_cast<double>(u.rows());
    }
    return weights;
  });
}

extern const Mechanism record{
    .id = "hard-sample",
    .aliases = {"hard", "stochastic"},
    .parameters = {{"u", "N m", Distribution::uniform}},
    .knobs = {size_knob("samples", "N", 1., 1, 256).as(Knob::Role::draws),
              estimator_knob({"none", "reinforce", "reinforce-baseline", "straight-through"})},
    .laws = {.permutation = false},
    .coordinate = "hard",
    .differentiable = false,
    .behaviour = Alignment{build}};
}  // namespace attend::hard_sample_entry
