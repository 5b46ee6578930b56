// SPDX-License-Identifier: Apache-2.0
// Cosine similarity:  e_ij = beta q_i.k_j / (|q_i| |k_j| + eps)
// Graves, Wayne, Danihelka 2014 (Neural Turing Machines), equations 5 and 6, arXiv:1410.5401
#include "catalogue/entry.h"
#include "ops/ratio.h"

namespace attend::similarity_cosine_entry {
namespace {

Var build(const ScoreIn& in) {  // q [m d]  k [n d]
  in.need_same_width();
  const Var product = in.product();  // [m n]
  const Var lengths =
      let("|q_i|\\,|k_j|", norm(in.q, -1, true) * transpose(norm(in.k, -1, true)));  // [m n]
  const Var below = lengths + in.scalar("eps");
  // With eps 0 a row of zeros would be 0 / 0; its product is 0, and stays so.
  return ratio(in.scalar("beta") * product, below);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_score(in, [&](const Row& q, const Row& k) {
    const double lengths = std::sqrt(inner(q, q) * inner(k, k));
    return in.number("beta") * inner(q, k) / (lengths + in.number("eps"));
  });
}

extern const Mechanism record{
    .id = "similarity-cosine",
    .aliases = {"cosine", "content-based"},
    .knobs = {number_knob("beta", 1., 0, 100),
              number_knob("eps", 1e-12, 1e-12, 1).at_least(0).log_scale()},
    .coordinate = "similarity",
    .behaviour = Score{build}};
}  // namespace attend::similarity_cosine_entry
