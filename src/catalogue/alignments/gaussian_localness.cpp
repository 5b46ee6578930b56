// SPDX-License-Identifier: Apache-2.0
// Localness modelling:  A = softmax(E + G),  G_ij = -(j - P_i)^2 / (2 s_i^2),  s_i = D_i / 2,
//   P_i = n sigma(tanh(q_i W_p) . u_p),  and the width D_i
//   fixed;  of the layer, n sigma(tanh(mean(K) W_d) . u_d);  or of the query,
//   n sigma(tanh(q_i W_p) . u_d)
// Yang et al. 2018 (Modeling Localness for Self-Attention Networks),
// arXiv:1810.10182
#include "catalogue/entry.h"

namespace attend::gaussian_localness_entry {
namespace {

constexpr double lowest = -3e38, narrowest = 1e-9;

Var build(const AlignmentIn& in) {  // scores [m n]
  const std::string& mode = in.text("mode");
  const auto n = static_cast<double>(in.scores.extent(-1));
  const Var h = let("H_p", tanh(matmul(in.query(), in.param("W_p"))));  // [m dp]
  const Var P = let("P", n * sigmoid(dot(h, in.param("u_p"))));         // [m]
  Var D = in.scalar("D");
  if (mode == "layer") {
    const Var of_keys = matmul(mean(in.inputs.k, -2, true), in.param("W_d"));    // [1 dr]
    D = let("D", expand(n * sigmoid(dot(tanh(of_keys), in.param("u_d"))), -1));  // [1 1]
  } else if (mode == "query") {
    D = let("D", expand(n * sigmoid(dot(h, in.param("u_d"))), -1));  // [m 1]
  }
  const Var distance = in.key_index() - expand(P, -1);                  // [m n]
  const Var ratio = distance / (maximum(D, scalar(D, narrowest)) / 2);  // [m n]
  const Var G = let("G", ratio * ratio * -.5);                          // [m n]
  // From the row's best, so that large scores keep their digits.
  const Var below = in.scores - detach(max(exclude(in.scores, in.mask, lowest), -1, true));
  return softmax(below + G, in.mask);  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const auto n = static_cast<double>(k.rows());
  const auto gate = [&](const Row& x, const char* W, const char* u) {
    const Array h = activated(product(one_row(x), in.parameter(W)), "tanh");
    return n * activate("sigmoid", inner(h.data, in.parameter(u).data));
  };
  const Row average = mean_of_rows(k).data;
  return each_row(in, [&](std::size_t i, Row e) {
    const double P = gate(q.row(i), "W_p", "u_p");
    const double D = in.text("mode") == "fixed"   ? in.number("D")
                     : in.text("mode") == "layer" ? gate(average, "W_d", "u_d")
                                                  : gate(q.row(i), "W_p", "u_d");
    for (std::size_t j = 0; j < e.size(); ++j)
      e[j] -= std::pow(static_cast<double>(j) - P, 2) / (2 * std::pow(D / 2, 2));
    return soft(e, [&](std::size_t j) { return in.allowed(i, j); });
  });
}

extern const Mechanism record{
    .id = "gaussian-localness",
    .aliases = {"localness"},
    .parameters = {{"W_p", "dq dp"}, {"u_p", "dp"}, {"W_d", "dk dr"}, {"u_d", "dr"}},
    .symbols = {{"dp", "dq"}, {"dr", "dp"}},
    .knobs = {choice_knob("mode", "fixed", {"fixed", "layer", "query"}),
              number_knob("D", 10., 1, 64).above(0)},
    .needs_query = true,
    .laws = {.permutation = false},
    .coordinate = "local",
    .behaviour = Alignment{build}};
}  // namespace attend::gaussian_localness_entry
