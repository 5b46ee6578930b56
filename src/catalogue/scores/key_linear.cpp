// SPDX-License-Identifier: Apache-2.0
// Linear score of the key:  e_j = k_j . w
// Davari 2020, table 1 (there called location-base)
#include "catalogue/entry.h"

namespace attend::key_linear_entry {
namespace {

Var build(const ScoreIn& in) {          // k [n dk]
  const auto [w] = in.params<1>();      // [1 dk]
  return matmul(w, in.k, false, true);  // [1 n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& k = in["key"];
  Array e({in.has("query") ? in["query"].rows() : 1, k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < k.rows(); ++j) {
      for (std::size_t c = 0; c < k.cols(); ++c) e(i, j) += k(j, c) * in.parameter("w")(c);
    }
  }
  return {{"scores", e}};
}

extern const Mechanism record{.id = "key-linear",
                              .aliases = {"location-base"},
                              .parameters = {{"w", "dk"}},
                              .behaviour = Score{.build = build, .reads_query = false}};
}  // namespace attend::key_linear_entry
