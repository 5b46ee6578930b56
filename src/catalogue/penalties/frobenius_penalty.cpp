// SPDX-License-Identifier: Apache-2.0
// Penalty on rows of weights that overlap:  lambda |A A^T - I|_F^2
// Lin et al. 2017 (A Structured Self-attentive Sentence Embedding), equation 8, arXiv:1703.03130
#include "catalogue/entry.h"
#include "catalogue/penalties.h"

namespace attend::frobenius_penalty_entry {
namespace {

Var build(const PenaltyIn& in) {  // weights [.. m n]
  const Var overlap = let("A A^{\\top}", matmul(in.weights, in.weights, false, true));  // [.. m m]
  const std::size_t m = in.weights.extent(-2);
  const Var identity = equal(iota(in.graph(), m, 2), iota(in.graph(), m));
  const Var gap = overlap - identity;
  return in.scalar("lambda") * total(gap * gap);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& a = in["weights"];
  const std::size_t m = a.rows(), n = a.cols(), heads = a.data.size() / (m * n);
  Array penalty(Shape{});
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t s = 0; s < m; ++s) {
      for (std::size_t t = 0; t < m; ++t) {
        double gap = s == t ? -1 : 0;
        for (std::size_t j = 0; j < n; ++j)
          gap += a.data[(h * m + s) * n + j] * a.data[(h * m + t) * n + j];
        penalty() += in.number("lambda") * gap * gap;
      }
    }
  }
  return {{"penalty", penalty}};
}

extern const Mechanism record{
    .id = "frobenius-penalty",
    .knobs = {number_knob("lambda", 1., 0, 10)},
    .around = R"({"mechanism": {"heads": {"type": "multi-head", "count": 3}}})",
    .behaviour = Penalty{build}};
}  // namespace attend::frobenius_penalty_entry
