// SPDX-License-Identifier: Apache-2.0
// Dot product:  E = Q K^T
// Luong, Pham, Manning 2015, section 3.1 (score "dot"), arXiv:1508.04025;
// Brauwers & Frasincar 2022, table 2
#include "catalogue/entry.h"

namespace attend::dot_entry {
namespace {

Var build(const ScoreIn& in) {  // q [m d]  k [n d]
  in.need_same_width();
  return in.product();  // [m n]
}

Var scale(const ScoreIn& in) { return fill(in.graph(), {}, 1); }

}  // namespace

Arrays reference(const ReferenceIn& in) { return each_score(in, inner); }

extern const Mechanism record{.id = "dot",
                              .aliases = {"multiplicative", "inner-product"},
                              .coordinate = "multiplicative",
                              .behaviour = Score{build, scale}};
}  // namespace attend::dot_entry
