// SPDX-License-Identifier: Apache-2.0
// Pooling by multihead attention: k learned seeds ask the set,
//   PMA(X) = MAB(S, relu(X W + b))
// Lee et al. 2019, pooling by multihead attention, arXiv:1810.00825
#include "catalogue/entry.h"
#include "catalogue/part_parameters.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::set_pma_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  const Var z = let("Z", relu(matmul(x, in.param("W")) + in.param("b")));  // [n d]
  const Block block = attention_block(in.child("mab"), in.param("S"), z);
  return {{out::scores, block.scores, "h r:query n"},
          {out::weights, block.weights, "h r:query n"},
          {out::result, block.output, "r:query d"}};
}

constexpr auto own_parameters = std::to_array<Parameter>(
    {{"S", "k d", Distribution::unit}, {"W", "d d"}, {"b", "d", Distribution::zero}});

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array z = activated(affine(in["x"], in.parameter("W"), in.parameter("b")), "relu");
  const BlockTables block = block_by_loops(in, "mab.", in.parameter("S"), z);
  return {{"weights", block.weights}, {"output", block.output}};
}

extern const Mechanism record{
    .id = "set-pma",
    .aliases = {"pma"},
    .parameters = parameters_of<own_parameters, under<"mab", mab_parameters<false>>>,
    .symbols = {{"p", "ceil(d/h)"}, {"pv", "p"}},
    .knobs = {size_knob("k", "k", 2., 1, 16), size_knob("count", "h", 2., 1, 16)},
    .roles = {{"x", "n d"}},
    .excludes = {never_causal("sets-have-no-order"_reason)},
    .coordinates = {{"scoring", "scaled multiplicative"},
                    {"alignment", "global"},
                    {"type", "self-attentive"},
                    {"multiplicity", "multi-head"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::set_pma_entry
