// SPDX-License-Identifier: Apache-2.0
// Location-based score:  e_i = (q_i W), its first n columns; the keys are not read
// Luong, Pham, Manning 2015, equation 8, arXiv:1508.04025
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const ScoreIn& in) {      // q [m dq]  k [n dk]
  const auto [W] = in.params<1>();  // [dq N]
  const std::size_t n = in.k.extent(-2), longest = W.extent(-1);
  if (n > longest) {
    refuse("there are " + std::to_string(n) + " keys, but W has scores for " +
           std::to_string(longest) + " positions; raise N");
  }
  const Var all = let("Q W", matmul(in.q, W));  // [m N]
  return slice(all, -1, 0, n);                  // [m n]
}

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &W = in.parameter("W");
  Array e({q.rows(), in["key"].rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.cols(); ++j) {
      for (std::size_t c = 0; c < q.cols(); ++c) e(i, j) += q(i, c) * W(c, j);
    }
  }
  return {{"scores", e}};
}

}  // namespace

namespace catalogue {
extern const Entry location_based_entry;
const Entry location_based_entry{
    .words =
        {.title = "Location-based",
         .formula = R"(e_i = q_i W,\quad W \in \mathbb{R}^{d_q \times N})",
         .sentence =
             "The query alone says which positions to look at; what the keys hold does not matter.",
         .note =
             "A table in a blog writes the map on the keys (see key-linear); the paper maps the "
             "decoder state, as here.",
         .source = {"Luong, Pham, Manning", 2015, "equation 8",
                    "https://arxiv.org/abs/1508.04025"}},
    .record = {.id = "location-based",
               .aliases = {"luong-location"},
               .parameters = {{"W", "dq N"}},
               .knobs = {size_knob("N", "Longest input N", "N", 32., 1, 256)},
               .laws = {.permutation = false, .content = false},
               .coordinate = "location-based",
               .behaviour = Score{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
