// SPDX-License-Identifier: Apache-2.0
// Multihead attention block of the Set Transformer, X asking Y:
//   H = LN(X + [head_1; ..; head_h] W_O),  head_t = Att(X W_Q[t], Y W_K[t], Y W_V[t]),
//   MAB(X, Y) = LN(H + relu(H W + b))
// Lee et al. 2019, arXiv:1810.00825
#include "catalogue/blocks.h"
#include "catalogue/causal_form.h"
#include "catalogue/entry.h"
#include "catalogue/loops.h"

namespace attend {
namespace {

void build(const ModuleIn& module) {
  const ModuleIn in{module.sized()};
  const Var x = in["query"];         // [m d]
  const Var given = in.port("key");  // [n dk]
  const Var y = given ? given : x;
  in.label("m", x);
  in.label("n", y);
  const Block block = attention_block(in, "", x, y);
  in.output(out::scores, block.scores, "h m n");
  in.output(out::weights, block.weights, "h m n");
  in.output("attended", block.attended, "m d");
  in.result(block.output, "m d");
}

Arrays reference(const ReferenceIn& in) {
  const loops::BlockSeen block = loops::block_by_loops(in, "", in["query"], in["key"]);
  return {{"weights", block.weights}, {"output", block.output}, {"context", block.output}};
}

}  // namespace

namespace catalogue {
extern const Entry set_mab_entry;
const Entry set_mab_entry{
    .words =
        {.title = "Multihead attention block (Set Transformer)",
         .formula =
             R"(H = \operatorname{LN}(X + \operatorname{MHA}(X, Y, Y)),\quad \operatorname{MAB}(X, Y) = \operatorname{LN}(H + \operatorname{relu}(H W + b)))",
         .sentence =
             "A Transformer layer without positions: the rows of X ask a set Y, and the order of "
             "the rows of Y changes nothing.",
         .note =
             "With X = Y it is the paper's SAB. The paper leaves the row-wise network open; here it is "
             "one layer. The scores are divided by the root of a head's width; released code takes the "
             "width of all heads together, and adds what they found to the mapped queries.",
         .source = {"Lee et al.", 2019, "multihead attention block",
                    "https://arxiv.org/abs/1810.00825"}},
    .record = {.id = "set-mab",
               .aliases = {"mab"},
               .parameters = {{"W_Q", "h d p"},
                              {"W_K", "h dk p"},
                              {"W_V", "h dk pv"},
                              {"W_O", "h*pv d"},
                              {"gamma1", "d", Distribution::one},
                              {"beta1", "d", Distribution::zero},
                              {"W", "d d"},
                              {"b", "d", Distribution::zero},
                              {"gamma2", "d", Distribution::one},
                              {"beta2", "d", Distribution::zero}},
               .symbols = {{"p", "ceil(d/h)"}, {"pv", "p"}},
               .knobs = {size_knob("count", "Heads", "h", 4., 1, 16)},
               .roles = {{"query", "m d"}, {"key", "n dk", false, "query"}},
               .excludes = {never_causal("A set has no order.")},
               .coordinates = {{"scoring", "scaled multiplicative"},
                               {"alignment", "global"},
                               {"multiplicity", "multi-head"}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
