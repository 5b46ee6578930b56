// SPDX-License-Identifier: Apache-2.0
// Syntax-directed attention:  the query predicts a token p = n sigma(tanh(q W_p) . w_p), and scores
// are damped by the distance d in the dependency tree from it before the softmax:
//   a_j = softmax_j(e_j exp(-d(p, j)^2 / (2 s^2)))
// Chen et al. 2018 (Syntax-Directed Attention for Neural Machine Translation),
// arXiv:1711.04231
#include "catalogue/entry.h"

namespace attend::syntax_distance_gaussian_entry {
namespace {

Var build(const AlignmentIn& in) {                   // scores [m n]
  const auto [W_p, w_p, distance] = in.params<3>();  // [dq dp] [1 dp] [n n]
  const std::size_t n = in.scores.extent(-1);
  const Var h = let("H_p", tanh(matmul(in.query(), W_p)));                 // [m dp]
  const Var place = floor(static_cast<double>(n) * sigmoid(dot(h, w_p)));  // [m]
  // The logistic function rounds to 1 for large arguments.
  const Var p = let("p", -maximum(-place, scalar(place, 1 - static_cast<double>(n))));
  const Var d = let("d_p", matmul(one_hot(p, n), distance));  // [m n]
  const Var ratio = d / in.scalar("s");
  const Var bell = let("g", exp(ratio * ratio * -.5));           // [m n]
  return softmax(let("E \\odot g", in.scores * bell), in.mask);  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &distance = in.parameter("distance");
  return each_row(in, [&](std::size_t i, Row e) {
    Row h = mapped(q.row(i), in.parameter("W_p"));
    for (double& x : h) x = activate("tanh", x);
    const double gate = activate("sigmoid", inner(h, in.parameter("w_p").data));
    const auto p = std::min(e.size() - 1, static_cast<std::size_t>(gate * double(e.size())));
    for (std::size_t j = 0; j < e.size(); ++j)
      e[j] *= std::exp(-std::pow(distance(p, j), 2) / (2 * std::pow(in.number("s"), 2)));
    return soft(e, [&](std::size_t j) { return in.allowed(i, j); });
  });
}

extern const Mechanism record{
    .id = "syntax-distance-gaussian",
    .aliases = {"syntax-directed"},
    .parameters = {{"W_p", "dq dp"}, {"w_p", "dp"}, {"distance", "n n", Distribution::distances}},
    .symbols = {{"dp", "dq"}},
    .knobs = {number_knob("s", "n/2", .1, 32).above(0)},
    .needs_query = true,
    .laws = {.permutation = false},
    .differentiable = false,
    .behaviour = Alignment{build}};
}  // namespace attend::syntax_distance_gaussian_entry
