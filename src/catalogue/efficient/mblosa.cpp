// SPDX-License-Identifier: Apache-2.0
// Masked block self-attention: directional token2token inside blocks, source2token makes a vector of
// each block, directional token2token over the blocks, and a gate joins all three,
//   G = sigmoid([x; h; e] W_g + b_g),  y = G * act([x; h; e] W + b) + (1 - G) * x
// Shen et al. 2018 (Bi-BloSAN), arXiv:1804.00857
#include "catalogue/block_attention.h"
#include "catalogue/causal_form.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

void build(const ModuleIn& module) {
  const ModuleIn in{module.sized()};
  const Var x = in["x"];  // [n d]
  in.label("m", x);
  const TwoLevels levels =
      attend_in_blocks(in, "", x, block_length(in, x.extent(-2)), in.text("direction") == "fw");
  output_levels(in, "", levels);
  in.result(levels.output, "m d");
}

Arrays reference(const ReferenceIn& in) {
  return {{"output", blocks_by_loops(in, "", in.text("direction") == "fw")}};
}

}  // namespace

namespace catalogue {
extern const Entry mblosa_entry;
const Entry mblosa_entry{
    .words =
        {.title = "Masked block self-attention (mBloSA)",
         .formula =
             R"(G = \sigma([x; h; e]\,W_g + b_g),\quad y = G \odot \operatorname{act}([x; h; e]\,W + b) + (1 - G) \odot x)",
         .sentence =
             "Tokens look around inside their block, each block becomes one vector, blocks look at "
             "blocks, and every token mixes what it got from both.",
         .note =
             "Not an approximation of full attention: pairs of tokens in different blocks meet only by "
             "way of their blocks. The tokens come in as they are, without the first layer of "
             "token2token. A token or a block with nobody to look at sees a zero.",
         .source = {"Shen et al.", 2018, "Bi-BloSAN", "https://arxiv.org/abs/1804.00857"}},
    .record =
        {.id = "mblosa",
         .aliases = {"masked-block-self-attention"},
         .parameters = {{"inner.W1", "d d"},
                        {"inner.W2", "d d"},
                        {"inner.b1", "d", Distribution::zero},
                        {"inner.W_s", "d d"},
                        {"inner.W_h", "d d"},
                        {"inner.b_f", "d", Distribution::zero},
                        {"pool.W1", "d a"},
                        {"pool.b1", "a", Distribution::zero},
                        {"pool.W2", "a d"},
                        {"pool.b2", "d", Distribution::zero},
                        {"outer.W1", "d d"},
                        {"outer.W2", "d d"},
                        {"outer.b1", "d", Distribution::zero},
                        {"outer.W_s", "d d"},
                        {"outer.W_h", "d d"},
                        {"outer.b_f", "d", Distribution::zero},
                        {"W_g", "3*d d"},
                        {"b_g", "d", Distribution::zero},
                        {"W", "3*d d"},
                        {"b", "d", Distribution::zero}},
         .symbols = {{"a", "d"}},
         .knobs = {block_knob(),
                   choice_knob("direction", "Looks back or ahead", "fw", {"fw", "bw"}),
                   number_knob("c", "Bound of the scores c", 5., .5, 20).above(0),
                   activation_knob("elu")},
         .roles = {{"x", "n d"}},
         .excludes = {never_causal(
             "A block is summed up from all its tokens, later ones too; its direction says which "
             "side a token looks to.")},
         .laws = {.permutation = false},
         .coordinates = {{"dimensionality", "multi-dimensional"},
                         {"scoring", "additive"},
                         {"alignment", "global"},
                         {"type", "self-attentive"}},
         .extents = {{"n", 24}, {"d", 3}},
         .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
