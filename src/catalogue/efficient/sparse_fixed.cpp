// SPDX-License-Identifier: Apache-2.0
// Fixed sparse attention: softmax attention in which row i sees its own block of l (first part) and
// the last c keys of every block (second part), always j <= i
// Child et al. 2019 (Sparse Transformer), section 4, arXiv:1904.10509
#include "catalogue/core_parts.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

Weighing build(const CoreIn& in) {
  const std::string& part = in.text("part");
  const double l = in.number("l"), c = in.number("c");
  const Var block = floor(in.key_index() / l);              // [n]
  const Var own = equal(block, floor(in.row_index() / l));  // [m n]
  const Var place = in.key_index() - block * l;             // [n] j mod l
  const Var summary = greater(place + 0 * in.row_index(), scalar(place, l - c - 0.5));  // [m n]
  return softmax_over(in, part == "first"    ? own
                          : part == "second" ? summary
                                             : maximum(own, summary));
}

Arrays reference(const ReferenceIn& in) {
  const auto l = static_cast<std::size_t>(in.number("l"));
  const auto c = static_cast<std::size_t>(in.number("c"));
  const bool first = in.text("part") != "second", second = in.text("part") != "first";
  return rows_of_weights(in, [&](std::size_t i) {
    return soft_row(in, i, [&](std::size_t j) {
      return j <= i && ((first && i / l == j / l) || (second && j % l + c >= l));
    });
  });
}

}  // namespace

namespace catalogue {
extern const Entry sparse_fixed_entry;
const Entry sparse_fixed_entry{
    .words =
        {.title = "Sparse, fixed",
         .formula =
             R"(A_{ij} \propto e^{q_i \cdot k_j/\sqrt{p}}\ \text{where}\ j \le i\ \text{and}\ \lfloor j/l \rfloor = \lfloor i/l \rfloor\ \text{or}\ j \bmod l \ge l - c)",
         .sentence =
             "A token attends within its own block and to the last c tokens of every block before, "
             "which sum that block up.",
         .note = "The paper gives the two parts to two heads; here one map has both unless a part "
                 "is chosen.",
         .source = {"Child et al.", 2019, "section 4", "https://arxiv.org/abs/1904.10509"}},
    .record = {.id = "sparse-fixed",
               .knobs = {integer_knob("l", "Block l", "ceil(sqrt(n))", 1, 64).at_least(1),
                         integer_knob("c", "Summary keys c", 1., 1, 8).at_least(1),
                         choice_knob("part", "Part", "union", {"union", "first", "second"})},
               .roles = core_roles,
               .laws = {.permutation = false},
               .coordinates = {{"alignment", "local"}},
               .example = R"("l": 3)",
               .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
