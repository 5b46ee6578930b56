// SPDX-License-Identifier: Apache-2.0
// Location-based score:  e_i = (q_i W), its first n columns; the keys are not read
// Luong, Pham, Manning 2015, equation 8, arXiv:1508.04025
#include "catalogue/entry.h"

namespace attend::location_based_entry {
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

}  // namespace

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

extern const Mechanism record{.id = "location-based",
                              .aliases = {"luong-location"},
                              .parameters = {{"W", "dq N"}},
                              .knobs = {size_knob("N", "N", 32., 1, 256)},
                              .laws = {.permutation = false, .content = false},
                              .coordinate = "location-based",
                              .behaviour = Score{build}};
}  // namespace attend::location_based_entry
