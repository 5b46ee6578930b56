// SPDX-License-Identifier: Apache-2.0
// Adaptive span:  a_ij in proportion to m_z(i - j) e^{q_i . k_j / sqrt(p)},
//   m_z(x) = clip((R + z - x) / R, 0, 1), z learned for each head
// Sukhbaatar et al. 2019, arXiv:1905.07799
#include "catalogue/entry.h"
#include "catalogue/parts/alignments/spans.h"

namespace attend::adaptive_span_entry {
namespace {

Weighing build(const CoreIn& in) { return faded(in, in.param("z")); }

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return rows_of_weights(in, [&](std::size_t i) { return faded_row(in, i, in.parameter("z")()); });
}

extern const Mechanism record{
    .id = "adaptive-span",
    .parameters = {{"z", "", Distribution::zero}},
    .knobs = {number_knob("R", 32., 1, 64).above(0), flag_knob("causal", true)},
    .roles = core_roles,
    .laws = {.permutation = false},
    .coordinates = {{"alignment", "local"}},
    .example = R"("R": 3)",
    .behaviour = Core{.build = build, .masks = causal_mask}};
}  // namespace attend::adaptive_span_entry
