// SPDX-License-Identifier: Apache-2.0
// Multihead attention block of the Set Transformer, X asking Y:
//   H = LN(X + [head_1; ..; head_h] W_O),  head_t = Att(X W_Q[t], Y W_K[t], Y W_V[t]),
//   MAB(X, Y) = LN(H + relu(H W + b))
// Lee et al. 2019, arXiv:1810.00825
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::set_mab_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["query"];         // [m d]
  const Var given = inputs.find("key");  // [n dk]
  const Var y = given ? given : x;
  in.label("m", x);
  in.label("n", y);
  const Block block = attention_block(in, x, y);
  return {{out::scores, block.scores, "h m n"},
          {out::weights, block.weights, "h m n"},
          {"attended", block.attended, "m d"},
          {out::result, block.output, "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const BlockTables block = block_by_loops(in, "", in["query"], in["key"]);
  return {{"weights", block.weights}, {"output", block.output}, {"context", block.output}};
}

extern const Mechanism record{.id = "set-mab",
                              .aliases = {"mab"},
                              .parameters = parameters_of<mab_parameters<true>>,
                              .symbols = {{"p", "ceil(d/h)"}, {"pv", "p"}},
                              .knobs = {size_knob("count", "h", 4., 1, 16)},
                              .roles = {{"query", "m d"}, {"key", "n dk", false, "query"}},
                              .excludes = {never_causal("sets-have-no-order"_reason)},
                              .coordinates = {{"scoring", "scaled multiplicative"},
                                              {"alignment", "global"},
                                              {"multiplicity", "multi-head"}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::set_mab_entry
