// SPDX-License-Identifier: Apache-2.0
// Keys averaged with their neighbours:  k'_j = mean of the k_l that exist with |l - j| <= radius
// Galassi, Lippi, Torroni 2021, section IV-A, arXiv:1902.02181
#include "catalogue/entry.h"

namespace attend::neighbour_keys_entry {
namespace {

Triple build(const KeyIn& in, Triple rows) {  // k [n dk]
  const std::size_t n = rows.k.extent(-2);
  const Var gap = absolute(iota(in.graph(), n) - iota(in.graph(), n, 2));  // [n n]
  const Var near = 1 - greater(gap, scalar(gap, in.number("radius")));     // [n n]
  rows.k = let("K'", matmul(near, rows.k) / sum(near, -1, true));          // [n dk]
  return rows;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& k = in["key"];
  const std::size_t radius = in.integer("radius");
  Array mean(k.shape);
  for (std::size_t j = 0; j < k.rows(); ++j) {
    const std::size_t first = j > radius ? j - radius : 0;
    const std::size_t last = std::min(k.rows() - 1, j + radius);
    for (std::size_t l = first; l <= last; ++l) {
      for (std::size_t c = 0; c < k.cols(); ++c)
        mean(j, c) += k(l, c) / static_cast<double>(last - first + 1);
    }
  }
  return {{"key", mean}, {"value", in["value"]}};
}

extern const Mechanism record{.id = "neighbour-keys",
                              .knobs = {integer_knob("radius", 1., 0, 8).at_least(0)},
                              .behaviour = Key{build}};
}  // namespace attend::neighbour_keys_entry
