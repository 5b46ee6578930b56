// SPDX-License-Identifier: Apache-2.0
// Keys averaged with their neighbours:  k'_j = mean of the k_l that exist with |l - j| <= radius
// Galassi, Lippi, Torroni 2021, section IV-A, arXiv:1902.02181
#include <algorithm>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Triple build(const KeyIn& in, Triple rows) {  // k [n dk]
  const std::size_t n = rows.k.extent(-2);
  const Var gap = absolute(iota(in.graph(), n) - iota(in.graph(), n, 2));  // [n n]
  const Var near = 1 - greater(gap, scalar(gap, in.number("radius")));     // [n n]
  rows.k = let("K'", matmul(near, rows.k) / sum(near, -1, true));          // [n dk]
  return rows;
}

Arrays reference(const ReferenceIn& in) {
  const Array& k = in["key"];
  const auto radius = static_cast<std::size_t>(in.number("radius"));
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

}  // namespace

namespace catalogue {
extern const Entry neighbour_keys_entry;
const Entry neighbour_keys_entry{
    .words =
        {.title = "Keys with their neighbours",
         .formula =
             R"(k'_j = \frac{1}{|N(j)|}\sum_{l \in N(j)} k_l,\quad N(j) = \{l : |l - j| \le r\})",
         .sentence = "Each key is averaged with the tokens beside it before it is compared.",
         .source = {"Galassi, Lippi, Torroni", 2021, "section IV-A",
                    "https://arxiv.org/abs/1902.02181"}},
    .record = {.id = "neighbour-keys",
               .knobs = {integer_knob("radius", "Radius", 1., 0, 8).at_least(0)},
               .behaviour = Key{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
