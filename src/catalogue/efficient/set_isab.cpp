// SPDX-License-Identifier: Apache-2.0
// Induced set attention block: r learned rows I look at the set, the set looks at what they saw,
//   ISAB(X) = MAB(X, MAB(I, X))
// Lee et al. 2019, induced set attention block, arXiv:1810.00825
#include "catalogue/entry.h"
#include "catalogue/part_parameters.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::set_isab_entry {
namespace {

Block step(const Scope& in, const char* name, Var x, Var y) {
  const StepSuffix suffix(in.graph(), std::string("\\;(\\text{") + name + "})");
  return attention_block(in.child(name), x, y);
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  in.label("m", x);
  const Block seen = step(in, "mab1", in.param("I"), x);  // [r d]
  const Block back = step(in, "mab2", x, seen.output);    // [n d]
  // What the tokens have to do with each other by way of the learned rows; a larger set has the two thin maps only.
  const std::size_t n = x.extent(-2);
  Var map;
  if (back.weights.extent(0) * n <= max_elements / n)
    map = let("A", matmul(back.weights, seen.weights));
  return {{out::weights.as("weights.0"), seen.weights, "h r:query n"},
          {out::weights.as("weights.1"), back.weights, "h m r:key"},
          {out::weights, map, "h m n"},
          {out::state, seen.output, "r:query d"},
          {out::result, back.output, "m d"}};
}

constexpr auto own_parameters = std::to_array<Parameter>({{"I", "r d", Distribution::unit}});

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const BlockTables seen = block_by_loops(in, "mab1.", in.parameter("I"), x);
  const BlockTables back = block_by_loops(in, "mab2.", x, seen.output);
  return {{"weights.0", seen.weights},
          {"weights.1", back.weights},
          {"state", seen.output},
          {"output", back.output}};
}

extern const Mechanism record{
    .id = "set-isab",
    .aliases = {"isab"},
    .parameters = parameters_of<own_parameters, under<"mab1", mab_parameters<false>>,
                                under<"mab2", mab_parameters<false>>>,
    .symbols = {{"p", "ceil(d/h)"}, {"pv", "p"}},
    .knobs = {size_knob("rows", "r", 4., 1, 32), size_knob("count", "h", 2., 1, 16)},
    .roles = {{"x", "n d"}},
    .excludes = {never_causal("sets-have-no-order"_reason)},
    .coordinates = {{"scoring", "scaled multiplicative"},
                    {"alignment", "global"},
                    {"type", "self-attentive"},
                    {"multiplicity", "multi-head"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::set_isab_entry
