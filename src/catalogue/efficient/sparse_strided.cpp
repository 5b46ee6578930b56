// SPDX-License-Identifier: Apache-2.0
// Strided sparse attention: softmax attention in which row i sees i - l <= j <= i (first part) and
// j <= i with (i - j) mod l = 0 (second part)
// Child et al. 2019 (Sparse Transformer), section 4, arXiv:1904.10509
#include "catalogue/core_parts.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

Weighing build(const CoreIn& in) {
  const std::string& part = in.text("part");
  const double l = in.number("l");
  const Var gap = in.row_index() - in.key_index();      // [m n]
  const Var near = greater(scalar(gap, l + 0.5), gap);  // [m n]
  const Var strided = equal(gap, floor(gap / l) * l);   // [m n]
  return softmax_over(in, part == "first"    ? near
                          : part == "second" ? strided
                                             : maximum(near, strided));
}

Arrays reference(const ReferenceIn& in) {
  const auto l = static_cast<std::size_t>(in.number("l"));
  const bool first = in.text("part") != "second", second = in.text("part") != "first";
  return rows_of_weights(in, [&](std::size_t i) {
    return soft_row(in, i, [&](std::size_t j) {
      return j <= i && ((first && i - j <= l) || (second && (i - j) % l == 0));
    });
  });
}

}  // namespace

namespace catalogue {
extern const Entry sparse_strided_entry;
const Entry sparse_strided_entry{
    .words =
        {.title = "Sparse, strided",
         .formula =
             R"(A_{ij} \propto e^{q_i \cdot k_j/\sqrt{p}}\ \text{where}\ i - l \le j \le i\ \text{or}\ j \le i,\ (i - j) \bmod l = 0)",
         .sentence =
             "A token attends to its l predecessors and to every l-th token before, so that any "
             "earlier one is two steps away.",
         .note = "The paper gives the two parts to two heads; here one map has both unless a part "
                 "is chosen.",
         .source = {"Child et al.", 2019, "section 4", "https://arxiv.org/abs/1904.10509"}},
    .record = {.id = "sparse-strided",
               .knobs = {integer_knob("l", "Stride l", "ceil(sqrt(n))", 1, 64).at_least(1),
                         choice_knob("part", "Part", "union", {"union", "first", "second"})},
               .roles = core_roles,
               .laws = {.permutation = false},
               .coordinates = {{"alignment", "local"}},
               .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
