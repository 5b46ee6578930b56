// SPDX-License-Identifier: Apache-2.0
// Scaled dot product:  E = Q K^T / sqrt(dk)
// Vaswani et al. 2017, section 3.2.1, equation 1, arXiv:1706.03762
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var scale(const ScoreIn& in) { return in.scalar("scale"); }

Var build(const ScoreIn& in) {                                              // q [m d]  k [n d]
  const Var product = let("Q K^{\\top}", matmul(in.q, in.k, false, true));  // [m n]
  return product * scale(in);
}

Arrays reference(const ReferenceIn& in) {
  return each_score(in,
                    [&](const Row& q, const Row& k) { return in.number("scale") * inner(k, q); });
}

}  // namespace

namespace catalogue {
extern const Entry scaled_dot_entry;
const Entry scaled_dot_entry{
    .words = {.title = "Scaled dot product",
              .formula = R"(e_{ij} = \frac{q_i\,k_j^{\top}}{\sqrt{d_k}})",
              .sentence =
                  "The dot product, divided so that its spread does not grow with the width.",
              .source = {"Vaswani et al.", 2017, "section 3.2.1, equation 1",
                         "https://arxiv.org/abs/1706.03762"}},
    .record = {.id = "scaled-dot",
               .aliases = {"scaled-multiplicative", "qkv"},
               .knobs = {number_knob("scale", "Scale", "1/sqrt(dk)", .01, 2).log_scale()},
               .coordinate = "scaled multiplicative",
               .behaviour = Score{build, scale}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
