// SPDX-License-Identifier: Apache-2.0
// Strided sparsity: row i sees the last l keys, i - l <= j <= i (first part), and every l-th key
// before it, (i - j) mod l = 0 (second part)
// Child et al. 2019 (Sparse Transformer), section 4, arXiv:1904.10509
#include "catalogue/entry.h"

namespace attend::mask_sparse_strided_entry {
namespace {

Var build(const MaskIn& in) {
  const std::string& part = in.text("part");
  const double l = in.number("l");
  const Var gap = in.rows() - in.columns();             // [m n]
  const Var near = greater(scalar(gap, l + 0.5), gap);  // [m n]
  const Var strided = equal(gap, floor(gap / l) * l);   // [m n]
  const Var seen = part == "first" ? near : part == "second" ? strided : maximum(near, strided);
  return in.stated(seen, strided_intent(l, sparse_part(in))) *
         in.stated(greater(gap, scalar(gap, -0.5)), causal_intent());
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t l = in.integer("l");
  const bool first = in.text("part") != "second", second = in.text("part") != "first";
  return each_pair(in, [&](std::size_t i, std::size_t j) {
    return j <= i && ((first && i - j <= l) || (second && (i - j) % l == 0));
  });
}

extern const Mechanism record{.id = "mask-sparse-strided",
                              .knobs = {integer_knob("l", "ceil(sqrt(n))", 1, 32).at_least(1),
                                        choice_knob("part", "union", {"union", "first", "second"})},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_sparse_strided_entry
