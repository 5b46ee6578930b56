// SPDX-License-Identifier: Apache-2.0
// Biased general attention:  e_ij = k_j . (q_i W + b)
// Sordoni, Bachman, Trischler, Bengio 2016, arXiv:1606.02245;
// Brauwers & Frasincar 2022, table 2
#include "catalogue/entry.h"

namespace attend::biased_general_entry {
namespace {

Var build(const ScoreIn& in) {                            // q [m dq]  k [n dk]
  const auto [W, b] = in.params<2>();                     // [dq dk] [1 dk]
  const Var query = let("Q W + b", matmul(in.q, W) + b);  // [m dk]
  return matmul(query, in.k, false, true);                // [m n]
}

}  // namespace

// The part that depends on the query, and the key's own.
Arrays reference(const ReferenceIn& in) {
  const Row b = in.parameter("b").row(0);
  return each_score(in, [&](const Row& q, const Row& k) {
    return inner(mapped(q, in.parameter("W")), k) + inner(b, k);
  });
}

extern const Mechanism record{.id = "biased-general",
                              .aliases = {"sordoni"},
                              .parameters = {{"W", "dq dk"}, {"b", "dk", Distribution::zero}},
                              .coordinate = "biased general",
                              .behaviour = Score{build}};
}  // namespace attend::biased_general_entry
