// SPDX-License-Identifier: Apache-2.0
// General (bilinear) attention:  e_ij = k_j W q_i^T
// Luong, Pham, Manning 2015, section 3.1 (score "general"), arXiv:1508.04025
#include "catalogue/entry.h"

namespace attend::general_entry {
namespace {

Var build(const ScoreIn& in) {                                         // q [m dq]  k [n dk]
  const auto [W] = in.params<1>();                                     // [dk dq]
  const Var query = let("Q W^{\\top}", matmul(in.q, W, false, true));  // [m dk]
  return matmul(query, in.k, false, true);                             // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_score(
      in, [&](const Row& q, const Row& k) { return inner(mapped(k, in.parameter("W")), q); });
}

extern const Mechanism record{.id = "general",
                              .aliases = {"bilinear", "luong-general"},
                              .parameters = {{"W", "dk dq"}},
                              .coordinate = "general",
                              .behaviour = Score{build}};
}  // namespace attend::general_entry
