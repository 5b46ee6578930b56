// SPDX-License-Identifier: Apache-2.0
// Fixed sparse attention: softmax attention in which row i sees its own block of l (first part) and
// the last c keys of every block (second part), always j <= i
// Child et al. 2019 (Sparse Transformer), section 4, arXiv:1904.10509
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"

namespace attend::sparse_fixed_entry {
namespace {

Weighing build(const CoreIn& in) {
  const std::string& part = in.text("part");
  const double l = in.number("l"), c = in.number("c");
  const Var block = floor(in.key_index() / l);              // [n]
  const Var own = equal(block, floor(in.row_index() / l));  // [m n]
  const Var place = in.key_index() - block * l;             // [n] j mod l
  const Var summary = greater(place + 0 * in.row_index(), scalar(place, l - c - 0.5));  // [m n]
  const Var seen = part == "first" ? own : part == "second" ? summary : maximum(own, summary);
  return softmax_over(in, in.stated(seen, fixed_intent(l, c, sparse_part(in))));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t l = in.integer("l"), c = in.integer("c");
  const bool first = in.text("part") != "second", second = in.text("part") != "first";
  return rows_of_weights(in, [&](std::size_t i) {
    return soft_row(in, i, [&](std::size_t j) {
      return j <= i && ((first && i / l == j / l) || (second && j % l + c >= l));
    });
  });
}

extern const Mechanism record{
    .id = "sparse-fixed",
    .knobs = {integer_knob("l", "ceil(sqrt(n))", 1, 64).at_least(1),
              integer_knob("c", 1., 1, 8).at_least(1),
              choice_knob("part", "union", {"union", "first", "second"})},
    .roles = core_roles,
    .laws = {.permutation = false},
    .example = R"("l": 3)",
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::sparse_fixed_entry
