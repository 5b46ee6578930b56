// SPDX-License-Identifier: Apache-2.0
// Scaled dot product:  E = Q K^T / sqrt(dk)
// Vaswani et al. 2017, section 3.2.1, equation 1, arXiv:1706.03762
#include "catalogue/entry.h"

namespace attend::scaled_dot_entry {
namespace {

Var scale(const ScoreIn& in) { return in.scalar("scale"); }

Var build(const ScoreIn& in) {  // q [m d]  k [n d]
  in.need_same_width();
  const Var product = in.product();  // [m n]
  return product * scale(in);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_score(in,
                    [&](const Row& q, const Row& k) { return in.number("scale") * inner(k, q); });
}

extern const Mechanism record{.id = "scaled-dot",
                              .aliases = {"scaled-multiplicative", "qkv"},
                              .knobs = {number_knob("scale", "1/sqrt(dk)", .01, 2).log_scale()},
                              .coordinate = "scaled multiplicative",
                              .behaviour = Score{build, scale}};
}  // namespace attend::scaled_dot_entry
