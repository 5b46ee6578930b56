// SPDX-License-Identifier: Apache-2.0
// Biaffine score:  e_ij = k_j U q_i^T + k_j . u
// Dozat, Manning 2017, section 3.1, equation 6, arXiv:1611.01734
#include "catalogue/entry.h"

namespace attend::biaffine_entry {
namespace {

Var build(const ScoreIn& in) {         // q [m dq]  k [n dk]
  const auto [U, u] = in.params<2>();  // [dk dq] [1 dk]
  const Var arcs = let("Q U^{\\top} K^{\\top}",
                       matmul(matmul(in.q, U, false, true), in.k, false, true));  // [m n]
  const Var prior = let("u K^{\\top}", matmul(u, in.k, false, true));             // [1 n]
  return arcs + prior;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Row u = in.parameter("u").row(0);
  return each_score(in, [&](const Row& q, const Row& k) {
    Row x = mapped(k, in.parameter("U"));
    return inner(x, q) + inner(u, k);
  });
}

extern const Mechanism record{.id = "biaffine",
                              .aliases = {"deep-biaffine"},
                              .parameters = {{"U", "dk dq"}, {"u", "dk"}},
                              .behaviour = Score{build}};
}  // namespace attend::biaffine_entry
