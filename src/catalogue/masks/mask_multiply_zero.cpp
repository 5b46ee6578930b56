// SPDX-License-Identifier: Apache-2.0
// Masks by multiplying with zero:  a: softmax(e * M), which leaks;  b: softmax(e) * M, whose rows
// fall short of 1 unless they are renormalised
// Soydaner 2022 (words only), arXiv:2204.13154
#include "catalogue/entry.h"
#include "ops/primitives/records.h"
#include "ops/ratio.h"

namespace attend::mask_multiply_zero_entry {
namespace {

bool before(const MaskIn& in) { return in.text("variant") == "a"; }

Var energy(const MaskIn& in, Var e) { return before(in) ? e * in.rows_of(in.base(), e) : e; }

Var weights(const MaskIn& in, Var a) {
  if (before(in)) return a;
  const Var M = in.rows_of(in.base(), a);
  if (!in.flag("renormalise")) return a * M;
  const Node& made = a.node();
  if (made.primitive == &primitives::softmax) {
    // The same ratio from the scores: all the weights that are kept may be too small for a float.
    const Var scores = in.graph().var(made.inputs[0]);
    return softmax(scores, made.inputs.size() > 1 ? in.graph().var(made.inputs[1]) * M : M);
  }
  const Var kept = a * M;  // [.. m n]
  return ratio(kept, sum(kept, -1, true));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {  // with the base that stands when none is given
  const bool first = in.text("variant") == "a";
  return each_row(in, [&](std::size_t i, Row e) {
    const auto all = [](std::size_t) { return true; };
    for (std::size_t j = i + 1; first && j < e.size(); ++j) e[j] = 0;
    Row a = soft(e, all);
    double total = 0;
    for (std::size_t j = 0; j < a.size(); ++j) {
      if (!first && j > i) a[j] = 0;
      total += a[j];
    }
    for (double& weight : a) weight /= !first && in.flag("renormalise") ? total : 1;
    return a;
  });
}

extern const Mechanism record{
    .id = "mask-multiply-zero",
    .knobs = {choice_knob("variant", "a", {"a", "b"}), flag_knob("renormalise", false)},
    .slots = {{"base", Kind::mask, "mask-causal"}},
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .behaviour = Mask{.energy = energy, .weights = weights}};
}  // namespace attend::mask_multiply_zero_entry
