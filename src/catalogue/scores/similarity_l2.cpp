// SPDX-License-Identifier: Apache-2.0
// Euclidean similarity:  e_ij = -scale |q_i - k_j|,  or  -scale |q_i - k_j|^2
// Brauwers & Frasincar 2022, section 3.2.1, arXiv:2203.14263
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const ScoreIn& in) {  // q [m d]  k [n d]
  in.need_same_width();
  // Differences, not |q|^2 + |k|^2 - 2 q.k: near neighbours would lose all their digits there.
  const Var gap = pair_rows(in.q) - pair_columns(in.k);              // [m n d]
  const Var squares = let("\\|q_i - k_j\\|^2", sum(gap * gap, -1));  // [m n]
  return -in.scalar("scale") * (in.flag("squared") ? squares : sqrt(squares));
}

Arrays reference(const ReferenceIn& in) {
  return each_score(in, [&](const Row& q, const Row& k) {
    double distance = 0;
    for (std::size_t c = 0; c < q.size(); ++c) distance = std::hypot(distance, q[c] - k[c]);
    return -in.number("scale") * (in.flag("squared") ? distance * distance : distance);
  });
}

}  // namespace

namespace catalogue {
extern const Entry similarity_l2_entry;
const Entry similarity_l2_entry{
    .words =
        {.title = "Euclidean similarity",
         .formula = R"(e_{ij} = -\,\mathrm{scale}\cdot\|q_i - k_j\|)",
         .sentence = "The nearer a key lies to the query, the higher it scores.",
         .note = "One survey gives the distance itself; its sign is turned here, so that near keys "
                 "win. Where query and key coincide the distance has no slope, and 0 is taken.",
         .source = {"Brauwers, Frasincar", 2022, "section 3.2.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "similarity-l2",
               .aliases = {"l2", "euclidean"},
               .knobs = {flag_knob("squared", "Squared distance", false),
                         number_knob("scale", "Scale", 1., .01, 10).log_scale()},
               .coordinate = "similarity",
               .behaviour = Score{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
