// SPDX-License-Identifier: Apache-2.0
// Strided sparse attention: softmax attention in which row i sees i - l <= j <= i (first part) and
// j <= i with (i - j) mod l = 0 (second part)
// Child et al. 2019 (Sparse Transformer), section 4, arXiv:1904.10509
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"

namespace attend::sparse_strided_entry {
namespace {

Weighing build(const CoreIn& in) {
  const std::string& part = in.text("part");
  const double l = in.number("l");
  const Var gap = in.row_index() - in.key_index();      // [m n]
  const Var near = greater(scalar(gap, l + 0.5), gap);  // [m n]
  const Var strided = equal(gap, floor(gap / l) * l);   // [m n]
  const Var seen = part == "first" ? near : part == "second" ? strided : maximum(near, strided);
  return softmax_over(in, in.stated(seen, strided_intent(l, sparse_part(in))));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t l = in.integer("l");
  const bool first = in.text("part") != "second", second = in.text("part") != "first";
  return rows_of_weights(in, [&](std::size_t i) {
    return soft_row(in, i, [&](std::size_t j) {
      return j <= i && ((first && i - j <= l) || (second && (i - j) % l == 0));
    });
  });
}

extern const Mechanism record{
    .id = "sparse-strided",
    .knobs = {integer_knob("l", "ceil(sqrt(n))", 1, 64).at_least(1),
              choice_knob("part", "union", {"union", "first", "second"})},
    .roles = core_roles,
    .laws = {.permutation = false},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::sparse_strided_entry
