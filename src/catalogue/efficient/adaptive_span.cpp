// SPDX-License-Identifier: Apache-2.0
// Adaptive span:  a_ij in proportion to m_z(i - j) e^{q_i . k_j / sqrt(p)},
//   m_z(x) = clip((R + z - x) / R, 0, 1), z learned for each head
// Sukhbaatar et al. 2019, arXiv:1905.07799
#include "catalogue/entry.h"
#include "catalogue/spans.h"

namespace attend {
namespace {

Weighing build(const CoreIn& in) { return faded(in, in.param("z")); }

Arrays reference(const ReferenceIn& in) {
  return rows_of_weights(in, [&](std::size_t i) { return faded_row(in, i, in.parameter("z")()); });
}

}  // namespace

namespace catalogue {
extern const Entry adaptive_span_entry;
const Entry adaptive_span_entry{
    .words =
        {.title = "Adaptive span",
         .formula =
             R"(A_{ij} \propto m_z(i - j)\,e^{q_i \cdot k_j/\sqrt{p}},\quad m_z(x) = \operatorname{clip}\Bigl(\frac{R + z - x}{R}, 0, 1\Bigr))",
         .sentence =
             "Every head learns how far back it looks: keys up to z places away count in full, and "
             "over the next R they fade out.",
         .note = "A penalty on long spans, as in the paper, is not part of this form. Without the "
                 "causal form, distances count to both sides.",
         .source = {"Sukhbaatar et al.", 2019, "adaptive attention span",
                    "https://arxiv.org/abs/1905.07799"}},
    .record = {.id = "adaptive-span",
               .parameters = {{"z", "", Distribution::zero}},
               .knobs = {number_knob("R", "Ramp R", 32., 1, 64).above(0),
                         flag_knob("causal", "Causal", true)},
               .roles = core_roles,
               .laws = {.permutation = false},
               .coordinates = {{"alignment", "local"}},
               .example = R"("R": 3)",
               .behaviour = Core{.build = build, .masks = causal_mask}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
