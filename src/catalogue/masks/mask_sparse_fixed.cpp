// SPDX-License-Identifier: Apache-2.0
// Fixed sparsity: row i sees its own block of l (first part), and the last c keys of every block
// before it (second part); always j <= i
// Child et al. 2019 (Sparse Transformer), section 4, arXiv:1904.10509
#include "catalogue/entry.h"

namespace attend::mask_sparse_fixed_entry {
namespace {

Var build(const MaskIn& in) {
  const std::string& part = in.text("part");
  const double l = in.number("l"), c = in.number("c");
  const Var i = in.rows(), j = in.columns();
  const Var block = floor(j / l);                                  // [n]
  const Var own = equal(block, floor(i / l));                      // [m n]
  const Var place = j - block * l;                                 // [n] j mod l
  const Var summary = greater(place, scalar(place, l - c - 0.5));  // [n]
  const Var seen = part == "first" ? own : part == "second" ? summary : maximum(own, summary);
  return in.stated(seen, fixed_intent(l, c, sparse_part(in))) *
         in.stated(greater(i + 1, j), causal_intent());
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t l = in.integer("l"), c = in.integer("c");
  const bool first = in.text("part") != "second", second = in.text("part") != "first";
  return each_pair(in, [&](std::size_t i, std::size_t j) {
    return j <= i && ((first && i / l == j / l) || (second && j % l + c >= l));
  });
}

extern const Mechanism record{.id = "mask-sparse-fixed",
                              .knobs = {integer_knob("l", "ceil(sqrt(n))", 1, 32).at_least(1),
                                        integer_knob("c", 1., 1, 8).at_least(0),
                                        choice_knob("part", "union", {"union", "first", "second"})},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_sparse_fixed_entry
