// SPDX-License-Identifier: Apache-2.0
// Bipartite attention of the GANsformer: a few latents restyle every place of an image,
//   a = Att(X, K, Y),  X' = (a W_gamma + b_gamma) * omega(X) + a W_beta + b_beta
// omega: rows less their mean, by their spread; K = Y, or with duplex K = Att(Y, X, X)
// Hudson, Zitnick 2021, section 3.1, arXiv:2103.01209
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::ganformer_bipartite_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];    // [n d]
  const Var y = in.param("Y");  // [k d]
  Var keys = y;
  in.label("m", x);
  in.label("n", x);
  Looked first;
  if (in.flag("duplex")) {
    const StepSuffix suffix(in.graph(), "^{\\text{latents}}");
    first = attend_scaled(y, x, x);
    keys = let("K", first.context);  // centroids of the places that each latent attends to
  }
  const Looked a = attend_by_slots(in, {x, keys, y});  // [n k] [n d]
  const Var one = fill(in.graph(), {1}, 1), none = fill(in.graph(), {1}, 0);
  const Var plain = let("\\omega(X)", layer_norm(x, one, none));  // [n d]
  const Var gain = let("\\gamma(a)", matmul(a.context, in.param("W_gamma")) + in.param("b_gamma"));
  const Var shift = let("\\beta(a)", matmul(a.context, in.param("W_beta")) + in.param("b_beta"));
  return {{out::weights.as("weights.0"), first.weights, "r:query n"},
          {out::state, first.context ? keys : Var{}, "r:query d"},
          {out::scores, a.scores, "m r:key"},
          {out::weights, a.weights, "m r:key"},
          {"attended", a.context, "m d"},
          {out::result, let("X'", gain * plain + shift), "m d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const Array& y = in.parameter("Y");
  const AttentionTables a = attended(x, in.flag("duplex") ? attended(y, x, x).context : y, y);
  const Array gain = affine(a.context, in.parameter("W_gamma"), in.parameter("b_gamma"));
  Array out = affine(a.context, in.parameter("W_beta"), in.parameter("b_beta"));
  const Array plain = standardised(x);
  out = plus(out, times(gain, plain));
  return {{"weights", a.weights}, {"attended", a.context}, {"output", out}};
}

extern const Mechanism record{
    .id = "ganformer-bipartite",
    .aliases = {"gansformer"},
    .parameters = {{"Y", "k d", Distribution::unit},
                   {"W_gamma", "d d"},
                   {"b_gamma", "d", Distribution::one},
                   {"W_beta", "d d"},
                   {"b_beta", "d", Distribution::zero}},
    .knobs = {size_knob("k", "k", 4., 1, 32), flag_knob("duplex", false)},
    .roles = {{"x", "n d"}},
    .slots = {own_score_slot, own_alignment_slot},
    .excludes = {never_causal("images-have-no-order"_reason)},
    .coordinates = {{"scoring", "scaled multiplicative"}, {"alignment", "global"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::ganformer_bipartite_entry
