// SPDX-License-Identifier: Apache-2.0
// Dynamic span: the adaptive span with a span for each query, z_i = S sigma(q_i . w + b)
// Sukhbaatar et al. 2019, arXiv:1905.07799
#include "catalogue/entry.h"
#include "catalogue/parts/alignments/spans.h"

namespace attend::dynamic_span_entry {
namespace {

Weighing build(const CoreIn& in) {
  const Var z = in.scalar("S") * sigmoid(expand(dot(in.q, in.param("w")), -1) + in.param("b"));
  return faded(in, let("z", z));  // z [.. m 1]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return rows_of_weights(in, [&](std::size_t i) {
    const double gate = inner(in["query"].row(i), in.parameter("w").row(0)) + in.parameter("b")();
    return faded_row(in, i, in.number("S") * activate("sigmoid", gate));
  });
}

extern const Mechanism record{
    .id = "dynamic-span",
    .parameters = {{"w", "p"}, {"b", "", Distribution::zero}},
    .knobs = {number_knob("S", "n", 1, 512).at_least(0), number_knob("R", 32., 1, 64).above(0),
              flag_knob("causal", true)},
    .roles = core_roles,
    .laws = {.permutation = false},
    .coordinates = {{"alignment", "local"}},
    .example = R"("R": 3)",
    .behaviour = Core{.build = build, .masks = causal_mask}};
}  // namespace attend::dynamic_span_entry
