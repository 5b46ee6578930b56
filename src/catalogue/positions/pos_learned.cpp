// SPDX-License-Identifier: Apache-2.0
// Learned absolute positions:  x_i <- x_i + P_i
// Gehring et al. 2017, section 3.1, arXiv:1705.03122; Devlin et al. 2019 (BERT), arXiv:1810.04805
#include "catalogue/entry.h"

namespace attend::pos_learned_entry {
namespace {

Var encode(const PositionIn& in, Var rows) {  // rows [n d]
  const Var table = in.param("P");            // [N d]
  const std::size_t count = rows.extent(-2);
  if (count > table.extent(-2)) {
    refuse("the table P has " + std::to_string(table.extent(-2)) +
           " rows, one per position; found " + std::to_string(count) + " tokens");
  }
  return let("P_{i}", slice(table, -2, 0, count));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array added(in["key"].shape);
  for (std::size_t i = 0; i < added.rows(); ++i) {
    for (std::size_t c = 0; c < added.cols(); ++c) added(i, c) = in.parameter("P")(i, c);
  }
  return {{"position", added}};
}

extern const Mechanism record{.id = "pos-learned",
                              .aliases = {"learned-absolute"},
                              .parameters = {{"P", "N d"}},
                              .knobs = {size_knob("N", "N", 64., 8, 512)},
                              .laws = {.permutation = false},
                              .behaviour = Position{.encode = encode}};
}  // namespace attend::pos_learned_entry
