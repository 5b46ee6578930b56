// SPDX-License-Identifier: Apache-2.0
// Any measure of similarity:  e_ij = similarity(q_i, k_j), here one of
//   l1       -sum_c |q_ic - k_jc|
//   pearson  correlation over the coordinates, 0 where a row is constant
//   angular  1 - arccos(cos(q_i, k_j)) / pi, where a row of zeros is at a right angle to all
// Brauwers & Frasincar 2022, table 2 (the slot; the measures are examples of what fits)
#include <numbers>

#include "catalogue/entry.h"
#include "ops/ratio.h"

namespace attend::similarity_generic_entry {
namespace {

Var is_zero(Var x) { return equal(x, scalar(x, 0)); }

// Rows of length 1; a row of zeros stays.
Var unit(Var x) { return ratio(x, norm(x, -1, true)); }

Var pearson(Var q, Var k) {
  const auto standard = [](Var x) {
    // By its ends, not by its centred length: that is only nearly 0 after rounding.
    const Var constant = equal(max(x, -1, true), -max(-x, -1, true));
    return unit(where(constant, scalar(x, 0), x - mean(x, -1, true)));
  };
  return matmul(let("\\tilde Q", standard(q)), let("\\tilde K", standard(k)), false, true);
}

// From the chord |u - v| of unit rows, or |u + v| beyond the right angle: the arccosine of the
// cosine loses half of its digits, and its slope, where the rows point the same way.
Var angular(Var q, Var k) {
  const Var u = let("\\hat Q", unit(q)), v = let("\\hat K", unit(k));
  const Var near = greater(matmul(u, v, false, true), scalar(q, 0));      // [m n]
  const Var sign = expand(where(near, scalar(q, -1), scalar(q, 1)), -1);  // [m n 1]
  const Var chord = norm(pair_rows(u) + sign * pair_columns(v), -1);      // [m n]
  const auto side = [](Var x) { return is_zero(norm(x, -1, true)); };
  const Var none = maximum(side(q), transpose(side(k)));                    // [m n]
  const Var half = where(none, scalar(q, std::numbers::sqrt2), chord) / 2;  // at most sqrt(1/2)
  const Var turn = 2 * arccos(half) / std::numbers::pi;
  return let("1 - \\theta/\\pi", where(near, turn, 1 - turn));
}

Var build(const ScoreIn& in) {  // q [m d]  k [n d]
  in.need_same_width();
  if (in.text("measure") == "pearson") return pearson(in.q, in.k);
  if (in.text("measure") == "angular") return angular(in.q, in.k);
  return -sum(absolute(pair_rows(in.q) - pair_columns(in.k)), -1);  // [m n]
}

double correlation(Row q, Row k) {
  for (Row* x : {&q, &k}) {
    if (*std::min_element(x->begin(), x->end()) == *std::max_element(x->begin(), x->end()))
      return 0;
    double total = 0;
    for (const double number : *x) total += number;
    for (double& number : *x) number -= total / static_cast<double>(x->size());
  }
  return inner(q, k) / std::sqrt(inner(q, q) * inner(k, k));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::string& measure = in.text("measure");
  return each_score(in, [&](const Row& q, const Row& k) {
    if (measure == "pearson") return correlation(q, k);
    const double lengths = std::sqrt(inner(q, q)) * std::sqrt(inner(k, k));
    if (measure == "angular" && lengths == 0) return 0.5;
    if (measure == "angular")
      return 1 - std::acos(std::clamp(inner(q, k) / lengths, -1.0, 1.0)) / std::numbers::pi;
    double e = 0;
    for (std::size_t c = 0; c < q.size(); ++c) e -= std::abs(q[c] - k[c]);
    return e;
  });
}

extern const Mechanism record{.id = "similarity-generic",
                              .aliases = {"similarity"},
                              .knobs = {choice_knob("measure", "l1", {"l1", "pearson", "angular"})},
                              .coordinate = "similarity",
                              .behaviour = Score{build}};
}  // namespace attend::similarity_generic_entry
