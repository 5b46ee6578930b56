// SPDX-License-Identifier: Apache-2.0
// Soft capping:  a = align(c tanh(e / c)), so that no score passes the cap c
// Gemma 2, Gemma Team 2024, arXiv:2408.00118
#include "catalogue/entry.h"

namespace attend::soft_cap_entry {
namespace {

Var build(const AlignmentIn& in) {  // scores [m n]
  const Var cap = in.scalar("cap");
  AlignmentIn capped = in;
  capped.scores = let("\\tilde{E}", cap * tanh(in.scores / cap));  // [m n]
  if (in.rows == nullptr) stated(capped.scores, capped_intent(), {in.scores, cap});
  return capped.base();  // [m n]
}

}  // namespace

// With softmax as its base. The hyperbolic tangent by exponentials.
Arrays reference(const ReferenceIn& in) {
  const long double cap = in.number("cap");
  return each_row(in, [&](std::size_t i, Row e) {
    for (double& score : e) {
      const long double fall = std::expm1(-2 * std::abs(score) / cap);  // e^{-2 abs(e) / c} - 1
      score = std::copysign(static_cast<double>(-cap * fall / (2 + fall)), score);
    }
    return soft(e, [&](std::size_t j) { return in.allowed(i, j); });
  });
}

extern const Mechanism record{
    .id = "soft-cap",
    .aliases = {"logit-cap"},
    .knobs = {number_knob("cap", 50., .5, 100).above(0).log_scale()},
    .slots = {{.name = "base", .kind = Kind::alignment, .fallback = "softmax"}},
    .behaviour = Alignment{build}};
}  // namespace attend::soft_cap_entry
