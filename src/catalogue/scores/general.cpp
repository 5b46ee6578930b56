// SPDX-License-Identifier: Apache-2.0
// General (bilinear) attention:  e_ij = k_j W q_i^T
// Luong, Pham, Manning 2015, section 3.1 (score "general"), arXiv:1508.04025
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const ScoreIn& in) {                                         // q [m dq]  k [n dk]
  const auto [W] = in.params<1>();                                     // [dk dq]
  const Var query = let("Q W^{\\top}", matmul(in.q, W, false, true));  // [m dk]
  return matmul(query, in.k, false, true);                             // [m n]
}

Arrays reference(const ReferenceIn& in) {
  return each_score(
      in, [&](const Row& q, const Row& k) { return inner(mapped(k, in.parameter("W")), q); });
}

}  // namespace

namespace catalogue {
extern const Entry general_entry;
const Entry general_entry{
    .words = {.title = "General (bilinear)",
              .formula = R"(e_{ij} = k_j\,W\,q_i^{\top})",
              .sentence = "A learned matrix W lets a query look for keys unlike itself.",
              .source = {"Luong, Pham, Manning", 2015, "section 3.1",
                         "https://arxiv.org/abs/1508.04025"}},
    .record = {.id = "general",
               .aliases = {"bilinear", "luong-general"},
               .parameters = {{"W", "dk dq"}},
               .coordinate = "general",
               .behaviour = Score{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
