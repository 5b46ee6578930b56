// SPDX-License-Identifier: Apache-2.0
// A decoder without attention: every step sees the same vector, what the encoder ended with
// Cho et al. 2014, section 2.2, arXiv:1406.1078
#include "catalogue/decoder.h"
#include "catalogue/decoder_reference.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

void build(const ModuleIn& in) {
  decode(in, [](const Scope&, Var initial) -> Look {
    return [initial](Var) { return Seen{{}, initial}; };
  });
}

// With the gated recurrent unit.
Arrays reference(const ReferenceIn& in) {
  return decoder_by_loops(in, [&](const Row&) { return SeenRow{{}, in["initial"].row(0)}; });
}

}  // namespace

namespace catalogue {
extern const Entry fixed_vector_baseline_entry;
const Entry fixed_vector_baseline_entry{
    .words = {.title = "Decoder with a fixed vector",
              .formula = R"(c_t = c,\quad s_t = \operatorname{cell}([E y_{t-1} ; c],\, s_{t-1}))",
              .sentence =
                  "Writes from one vector that has to hold the whole source: the problem that "
                  "attention was made to solve.",
              .source = {"Cho et al.", 2014, "section 2.2", "https://arxiv.org/abs/1406.1078"}},
    .record =
        {.id = "fixed-vector-baseline",
         .parameters = decoder_parameters,
         .symbols = {{"r", "dh"}},
         .knobs = decoder_knobs,
         .roles = decoder_roles,
         .slots = {{"cell", "Cell", "General", Kind::cell, "gru"}},
         .example = R"("vocabulary": ["<start>", "<end>", "<unknown>", "a", "b"])",
         .around =
             R"({"inputs": {"target": {"shape": null, "data": null, "tokens": ["a", "b", "a", "<end>"]}}})",
         .extents = {{"1", 1}},
         .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
