// SPDX-License-Identifier: Apache-2.0
// Linear score of the key:  e_j = k_j . w
// Davari 2020, table 1 (there called location-base)
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const ScoreIn& in) {          // k [n dk]
  const auto [w] = in.params<1>();      // [1 dk]
  return matmul(w, in.k, false, true);  // [1 n]
}

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

}  // namespace

namespace catalogue {
extern const Entry key_linear_entry;
const Entry key_linear_entry{
    .words =
        {.title = "Linear in the key",
         .formula = R"(e_j = k_j \cdot w)",
         .sentence =
             "Every key is weighed by itself, with one weight for each coordinate; no query asks.",
         .note =
             "This is how one blog's table writes the location-based score; the paper maps the query "
             "instead: see location-based.",
         .source = {"Davari", 2020, "table 1",
                    "https://davari.io/articles/2020-07/attention-is-all-you-read.html"}},
    .record = {.id = "key-linear",
               .aliases = {"location-base"},
               .parameters = {{"w", "dk"}},
               .behaviour = Score{.build = build, .reads_query = false}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
