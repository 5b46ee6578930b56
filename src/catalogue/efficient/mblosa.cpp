// SPDX-License-Identifier: Apache-2.0
// Masked block self-attention (mSA): h = mSA(x) inside each block, v = source2token(h), one vector per
// block, o = mSA(v) over the blocks, e = F * v + (1 - F) * o with F = sigmoid(o W_s + v W_h + b_f), and
//   G = sigmoid([x; h; e] W_g + b_g),  y = G * act([x; h; e] W + b) + (1 - G) * x
// Shen et al. 2018 (Bi-BloSAN), section 3, arXiv:1804.00857
#include "catalogue/entry.h"
#include "catalogue/parts/layers/block_attention.h"
#include "catalogue/parts/layers/causal_form.h"

namespace attend::mblosa_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("m", x);
  const TwoLevels levels =
      attend_in_blocks(in, x, block_length(in, x.extent(-2)), in.text("direction") == "fw");
  return maps_of(levels) + Tensors{{out::result, levels.output, "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return {{"output", blocks_by_loops(in, "", in.text("direction") == "fw")}};
}

extern const Mechanism record{
    .id = "mblosa",
    .aliases = {"masked-block-self-attention"},
    .parameters = parameters_of<mblosa_parameters>,
    .symbols = {{"a", "d"}},
    .knobs = {block_knob(), choice_knob("direction", "fw", {"fw", "bw"}),
              number_knob("c", 5., .5, 20).above(0), activation_knob("elu")},
    .roles = {{"x", "n d"}},
    .excludes = {never_causal("blocks-sum-all"_reason)},
    .laws = {.permutation = false},
    .coordinates = {{"dimensionality", "multi-dimensional"},
                    {"scoring", "additive"},
                    {"alignment", "global"},
                    {"type", "self-attentive"}},
    .extents = {{"n", 24}, {"d", 3}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::mblosa_entry
