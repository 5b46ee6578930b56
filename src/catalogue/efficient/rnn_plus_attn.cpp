// SPDX-License-Identifier: Apache-2.0
// A second encoder that reads the source one word after the other; the decoder attends to both,
//   c = att(q, K), r = att(q, H), H the cell's states;
//   gated: g * c + (1 - g) * r, g = sigmoid([c ; r] W_g + b_g);  stacked: c' = att(q + c, H) + c
// Hao et al. 2019, arXiv:1904.03092
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::rnn_plus_attn_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var q = inputs["query"], k = inputs["key"],
            source = inputs["source"];  // [m d] [n d] [n1 dx]
  in.label("m", q);
  in.label("n", k);
  in.label("n1", source);
  const CellIn cell = enter_cell(in, *in.choice.in("cell"), source.extent(-1), q.extent(-1));
  const Var states = let("H", run_cell(cell, source).output);  // [n1 d]
  const Looked first = attend_scaled(q, k, k);                 // [m d]
  const bool gated = in.text("combine") == "gated";
  Looked second;
  {
    const StepSuffix suffix(in.graph(), "^{\\text{rnn}}");
    second = attend_scaled(gated ? q : q + first.context, states, states);
  }
  const Tensors results{{out::scores, first.scores, "m n"},
                        {out::weights, first.weights, "m n"},
                        {out::scores.as("rnn.scores"), second.scores, "m n1"},
                        {out::weights.as("rnn.weights"), second.weights, "m n1"},
                        {out::state, states, "n1 d"}};
  if (!gated)
    return results + Tensors{{out::result, let("C", first.context + second.context), "m d"}};
  const Var both = concat({first.context, second.context}, -1);  // [m 2d]
  const Var g = let("g", sigmoid(matmul(both, in.param("W_g")) + in.param("b_g")));
  const Var mixed = let("C", g * first.context + (1 - g) * second.context);
  return results + Tensors{{out::gate, g, "m d"}, {out::result, mixed, "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["inputs.query"], &k = in["inputs.key"];
  const Array states = gru_states_by_loops(in, "cell.", in["source"]);
  const AttentionTables first = attended(q, k, k);
  const bool gated = in.text("combine") == "gated";
  const AttentionTables second = attended(gated ? q : plus(q, first.context), states, states);
  const Array both = beside({first.context, second.context});
  Array out = plus(first.context, second.context);
  if (gated) {
    const Array g = activated(affine(both, in.parameter("W_g"), in.parameter("b_g")), "sigmoid");
    out = plus(second.context, times(g, minus(first.context, second.context)));
  }
  return {{"weights", first.weights}, {"rnn.weights", second.weights}, {"output", out}};
}

extern const Mechanism record{
    .id = "rnn-plus-attn",
    .parameters = {{"W_g", "2*d d"}, {"b_g", "d", Distribution::zero}},
    .knobs = {choice_knob("combine", "gated", {"gated", "stacked"})},
    .roles = {{"query", "m d"}, {"key", "n d"}, {"source", "n1 dx"}},
    .slots = {{"cell", Kind::cell, "gru"}},
    .excludes = {never_causal("sequences-have-own-orders"_reason)},
    .laws = {.permutation = false},
    .coordinates = {{"scoring", "scaled multiplicative"}, {"alignment", "global"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::rnn_plus_attn_entry
