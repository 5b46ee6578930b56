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
  Array e({in.has("query") ? in["query"].rows() : 1, k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < k.rows(); ++j) e(i, j) = inner(k.row(j), in.parameter("q").row(0));
  }
  return {{"scores", e}};
}

extern const Mechanism record{.id = "self-dot",
                              .aliases = {"learned-query", "self-multiplicative"},
                              .parameters = {{"q", "dk"}},
                              .coordinate = "multiplicative",
                              .behaviour = Score{.build = build, .reads_query = false}};
}  // namespace attend::self_dot_entry
