// SPDX-License-Identifier: Apache-2.0
// Local attention, predictive:  a centre p = n sigma(tanh(q W_p) . w_p), a window of D around it,
// and a Gaussian with s = D / 2
// Luong, Pham, Manning 2015, equations 9 and 10, arXiv:1508.04025;
// Brauwers & Frasincar 2022, equations 27 to 29
#include "catalogue/entry.h"
#include "ops/ratio.h"

namespace attend::local_predictive_entry {
namespace {

Var build(const AlignmentIn& in) {         // scores [m n]
  const Var q = in.query();                // [m dq]
  const auto [W_p, w_p] = in.params<2>();  // [dq dp] [1 dp]
  const double D = in.number("D"), s = D / 2;
  const Var h = let("H_p", tanh(matmul(q, W_p)));  // [m dp]
  const Var p = let("p", static_cast<double>(in.scores.extent(-1)) * sigmoid(dot(h, w_p)));  // [m]
  in.output_rows({"position_p"}, p);
  const Var distance = in.key_index() - expand(p, -1);                                      // [m n]
  const Var window = let("\\text{window}", 1 - greater(absolute(distance), scalar(p, D)));  // [m n]
  Var weights = softmax(in.scores, in.and_mask(window));                                    // [m n]
  if (!in.flag("gaussian")) return weights;
  const Var bell = let("g", exp(distance * distance / (-2 * s * s)));  // [m n]
  weights = weights * bell;
  if (!in.flag("renormalise")) return weights;
  return ratio(weights, sum(weights, -1, true));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& q = in["query"];
  Array centre({q.rows()});
  Arrays out = each_row(in, [&](std::size_t i, const Row& e) {
    Row h = mapped(q.row(i), in.parameter("W_p"));
    for (double& x : h) x = activate("tanh", x);
    const double D = in.number("D"), n = static_cast<double>(e.size());
    const double p = centre(i) = n * activate("sigmoid", inner(h, in.parameter("w_p").data));
    Row weights = soft(e, [&](std::size_t j) {
      const auto at = static_cast<double>(j);
      return at >= std::ceil(p - D) && at <= std::floor(p + D) && in.allowed(i, j);
    });
    if (!in.flag("gaussian")) return weights;
    double total = 0;
    for (std::size_t j = 0; j < weights.size(); ++j) {
      const double gap = (static_cast<double>(j) - p) / (D / 2);
      total += weights[j] *= std::exp(-gap * gap / 2);
    }
    for (double& weight : weights) weight /= in.flag("renormalise") && total > 0 ? total : 1;
    return weights;
  });
  out["position_p"] = centre;
  return out;
}

extern const Mechanism record{
    .id = "local-predictive",
    .aliases = {"local-p"},
    .parameters = {{"W_p", "dq dp"}, {"w_p", "dp"}},
    .symbols = {{"dp", "dq"}},
    .knobs = {integer_knob("D", 2., 1, 32).at_least(1), flag_knob("gaussian", true),
              flag_knob("renormalise", false)},
    .needs_query = true,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinate = "local",
    .behaviour = Alignment{build}};
}  // namespace attend::local_predictive_entry
