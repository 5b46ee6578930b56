// SPDX-License-Identifier: Apache-2.0
// Scaled dot product:  E = Q K^T / sqrt(dk)
// Vaswani et al. 2017, section 3.2.1, equation 1, arXiv:1706.03762
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend::scaled_dot_entry {
namespace {

Var scale(const ScoreIn& in) { return in.scalar("scale"); }

Var build(const ScoreIn& in) {  // q [m d]  k [n d]
  in.need_same_width();
  const Var product = in.product();  // [m n]
  return product * scale(in);
}

Arrays reference(const ReferenceIn& in) {
  return each_score(in,
                    [&](const Row& q, const Row& k) { return in.number("scale") * inner(k, q); });
}

}  // namespace

extern const Mechanism scaled_dot_record;
const Mechanism scaled_dot_record{.id = "scaled-dot",
                                  .aliases = {"scaled-multiplicative", "qkv"},
                                  .knobs = {number_knob("scale", "1/sqrt(dk)", .01, 2).log_scale()},
                                  .coordinate = "scaled multiplicative",
                                  .behaviour = Score{build, scale}};
extern const Reference scaled_dot_reference;
const Reference scaled_dot_reference{reference};
}  // namespace attend::scaled_dot_entry
