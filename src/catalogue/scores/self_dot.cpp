// SPDX-License-Identifier: Apache-2.0
// Dot product with a learned query:  e_j = k_j . q
// Brauwers & Frasincar 2022, equation 34
#include "catalogue/entry.h"

namespace attend::self_dot_entry {
namespace {

Var build(const ScoreIn& in) {          // k [n dk]
  const auto [q] = in.params<1>();      // [1 dk]
  return matmul(q, in.k, false, true);  // [1 n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& k = in["key"];
  const Array e = dots(in.parameter("q"), k);
  return {{"scores", rows_by(in.has("query") ? in["query"].rows() : 1,
                             [&](std::size_t) { return e.row(0); })}};
}

extern const Mechanism record{.id = "self-dot",
                              .aliases = {"learned-query", "self-multiplicative"},
                              .parameters = {{"q", "dk"}},
                              .coordinate = "multiplicative",
                              .behaviour = Score{.build = build, .reads_query = false}};
}  // namespace attend::self_dot_entry
