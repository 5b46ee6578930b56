// SPDX-License-Identifier: Apache-2.0
// Score of a projected query:  e_ij = score(q_i W, k_j)
// Graves, Wayne, Danihelka 2014 (Neural Turing Machines), section 3.3.1: the controller emits a key vector, which the
// cosine compares with every row of the memory, arXiv:1410.5401
#include "catalogue/entry.h"

namespace attend::projected_query_entry {
namespace {

Var build(const ScoreIn& in) {                            // q [m dq]  k [n dk]
  const Var q = let("Q W", matmul(in.q, in.param("W")));  // [m dk]
  return in.base(q);                                      // [m n]
}

}  // namespace

// The plain product as its base.
Arrays reference(const ReferenceIn& in) {
  return each_score(
      in, [&](const Row& q, const Row& k) { return inner(mapped(q, in.parameter("W")), k); });
}

extern const Mechanism record{
    .id = "projected-query",
    .parameters = {{"W", "dq dk"}},
    .slots = {{.name = "base",
               .kind = Kind::score,
               .fallback = "dot",
               .among = {"dot", "scaled-dot", "dot-over-keynorm", "trilinear", "similarity-cosine",
                         "similarity-generic", "similarity-l2", "similarity-rbf", "gat-score"}}},
    .behaviour = Score{.build = build}};
}  // namespace attend::projected_query_entry
