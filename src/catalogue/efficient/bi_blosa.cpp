// SPDX-License-Identifier: Apache-2.0
// Bidirectional block self-attention: masked block self-attention that looks back beside one that
// looks ahead,  y = [mBloSA_fw(x) ; mBloSA_bw(x)]
// Shen et al. 2018 (Bi-BloSAN), arXiv:1804.00857
#include "catalogue/entry.h"
#include "catalogue/parts/layers/block_attention.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::bi_blosa_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("m", x);
  const std::size_t block = block_length(in, x.extent(-2));
  const TwoLevels back = attend_in_blocks(in.child("fw"), x, block, true);
  const TwoLevels ahead = attend_in_blocks(in.child("bw"), x, block, false);
  return maps_of(back).under("fw.") + maps_of(ahead).under("bw.") +
         Tensors{{out::result, let("Y", concat({back.output, ahead.output}, -1)), "m dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return {
      {"output", beside({blocks_by_loops(in, "fw.", true), blocks_by_loops(in, "bw.", false)})}};
}

extern const Mechanism record{
    .id = "bi-blosa",
    .parameters = parameters_of<under<"fw", mblosa_parameters>, under<"bw", mblosa_parameters>>,
    .symbols = {{"a", "d"}},
    .knobs = {block_knob(), number_knob("c", 5., .5, 20).above(0), activation_knob("elu")},
    .roles = {{"x", "n d"}},
    .excludes = {never_causal("looks-to-both-sides"_reason)},
    .laws = {.permutation = false},
    .coordinates = {{"dimensionality", "multi-dimensional"},
                    {"scoring", "additive"},
                    {"alignment", "global"},
                    {"type", "self-attentive"}},
    .extents = {{"n", 24}, {"d", 3}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::bi_blosa_entry
