// SPDX-License-Identifier: Apache-2.0
// Efficient attention: a softmax on each side, C = softmax_features(Q) (softmax_tokens(K)^T V);
//   or both divided by sqrt(n)
// Shen et al. 2021, arXiv:1812.01243
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/reason.h"

namespace attend::efficient_attention_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const bool soft = in.text("scaling") == "softmax";
  const double root = std::sqrt(static_cast<double>(in.n()));
  const Var rho_q = let("\\rho(Q)", soft ? softmax(in.q) : in.q / root);  // [.. m p]
  const Var rho_k = let("\\rho(K)^{\\top}",
                        soft ? softmax(transpose(in.k)) : transpose(in.k) / root);  // [.. p n]
  return {[=](Var v) { return matmul(rho_q, let("G", matmul(rho_k, v))); }, {}, "n", soft};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const bool softened = in.text("scaling") == "softmax";
  return rows_of_weights(in, [&](std::size_t i) {
    Row a(k.rows(), 0);
    double all_q = 0;
    for (const double x : q.row(i)) all_q += std::exp(x);
    for (std::size_t c = 0; c < k.cols(); ++c) {
      const double all_k = sum_over(a.size(), [&](std::size_t j) { return std::exp(k(j, c)); });
      for (std::size_t j = 0; j < a.size(); ++j) {
        a[j] += softened ? std::exp(q(i, c)) / all_q * std::exp(k(j, c)) / all_k
                         : q(i, c) * k(j, c) / static_cast<double>(a.size());
      }
    }
    return a;
  });
}

extern const Mechanism record{
    .id = "efficient-attention",
    .knobs = {choice_knob("scaling", "softmax", {"softmax", "sqrt-n"})},
    .roles = core_roles,
    .coordinates = core_coordinates,
    .behaviour = Core{.build = build, .never_causal = "maps-scaled-by-all"_reason}};
}  // namespace attend::efficient_attention_entry
