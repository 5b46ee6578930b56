// SPDX-License-Identifier: Apache-2.0
// A decoder without attention: every step sees the same vector, what the encoder ended with
// Cho et al. 2014, section 2.2, arXiv:1406.1078
#include "catalogue/entry.h"
#include "catalogue/parts/cells/decoder.h"
#include "catalogue/parts/cells/decoder_reference.h"

namespace attend::fixed_vector_baseline_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  return decode(in, inputs, [](const Scope&, Var initial) -> Look {
    return [initial](Var) { return Seen{{}, initial}; };
  });
}

}  // namespace

// With the gated recurrent unit.
Arrays reference(const ReferenceIn& in) {
  return decoder_by_loops(in, [&](const Row&) { return SeenRow{{}, in["initial"].row(0)}; });
}

extern const Mechanism record{
    .id = "fixed-vector-baseline",
    .parameters = decoder_parameters,
    .symbols = {{"r", "dh"}},
    .knobs = decoder_knobs,
    .roles = decoder_roles,
    .slots = {{"cell", Kind::cell, "gru"}},
    .example = R"("vocabulary": ["<start>", "<end>", "<unknown>", "a", "b"])",
    .around =
        R"({"inputs": {"target": {"shape": null, "data": null, "tokens": ["a", "b", "a", "<end>"]}}})",
    .extents = {{"1", 1}},
    .behaviour = Structure{build}};
}  // namespace attend::fixed_vector_baseline_entry
