// SPDX-License-Identifier: Apache-2.0
// Bipartite attention of the GANsformer: a few latents restyle every place of an image,
//   a = Att(X, Y, Y),  X' = (a W_gamma + b_gamma) * omega(X) + a W_beta + b_beta
// omega: rows less their mean, by their spread; duplex: Y <- Att(Y, X, X) first
// Hudson, Zitnick 2021, arXiv:2103.01209
#include <cmath>

#include "catalogue/blocks.h"
#include "catalogue/causal_form.h"
#include "catalogue/entry.h"
#include "catalogue/loops.h"
#include "catalogue/structure_parts.h"

namespace attend {
namespace {

void build(const ModuleIn& module) {
  const ModuleIn in{module.sized()};
  const Var x = in["x"];  // [n d]
  Var y = in.param("Y");  // [k d]
  in.label("m", x);
  in.label("n", x);
  if (in.flag("duplex")) {
    const StepSuffix suffix(in.graph(), "^{\\text{latents}}");
    const Looked first = attend_scaled(y, x, x);
    in.output(out::weights.as("weights.0"), first.weights, "r n");
    y = first.context;
    in.output(out::state, y, "r d");
  }
  const Looked a = attend_by_slots(in, {x, y, y});  // [n k] [n d]
  in.output(out::scores, a.scores, "m r");
  in.output(out::weights, a.weights, "m r");
  in.output("attended", a.context, "m d");
  const Var one = fill(in.graph(), {1}, 1), none = fill(in.graph(), {1}, 0);
  const Var plain = let("\\omega(X)", layer_norm(x, one, none));  // [n d]
  const Var gain = let("\\gamma(a)", matmul(a.context, in.param("W_gamma")) + in.param("b_gamma"));
  const Var shift = let("\\beta(a)", matmul(a.context, in.param("W_beta")) + in.param("b_beta"));
  in.result(let("X'", gain * plain + shift), "m d");
}

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const double scale = 1 / std::sqrt(static_cast<double>(x.cols()));
  Array y = in.parameter("Y");
  if (in.flag("duplex")) y = loops::seen(y, x, x, scale).context;
  const loops::Seen a = loops::seen(x, y, y, scale);
  const Array gain =
      loops::plus(loops::product(a.context, in.parameter("W_gamma")), in.parameter("b_gamma"));
  Array out =
      loops::plus(loops::product(a.context, in.parameter("W_beta")), in.parameter("b_beta"));
  const Array plain = loops::standardised(x);
  for (std::size_t i = 0; i < out.data.size(); ++i) out.data[i] += gain.data[i] * plain.data[i];
  return {{"weights", a.weights}, {"attended", a.context}, {"output", out}};
}

}  // namespace

namespace catalogue {
extern const Entry ganformer_bipartite_entry;
const Entry ganformer_bipartite_entry{
    .words =
        {.title = "Bipartite attention (GANsformer)",
         .formula =
             R"(a = \operatorname{att}(X, Y, Y),\quad X' = \gamma(a) \odot \omega(X) + \beta(a))",
         .sentence =
             "A few latents divide an image among themselves: each place takes its gain and its shift "
             "from the latents that it attends to.",
         .note =
             "With duplex the latents look at the image first, and what they saw stands for them "
             "as keys and as values. The gain starts around 1: where the latents have no effect, "
             "the image is only normalised.",
         .source = {"Hudson, Zitnick", 2021, "bipartite attention",
                    "https://arxiv.org/abs/2103.01209"}},
    .record = {.id = "ganformer-bipartite",
               .aliases = {"gansformer"},
               .parameters = {{"Y", "k d", Distribution::unit},
                              {"W_gamma", "d d"},
                              {"b_gamma", "d", Distribution::one},
                              {"W_beta", "d d"},
                              {"b_beta", "d", Distribution::zero}},
               .knobs = {size_knob("k", "Latents k", "k", 4., 1, 32),
                         flag_knob("duplex", "Latents look first (duplex)", false)},
               .roles = {{"x", "n d"}},
               .slots = {own_score_slot, own_alignment_slot},
               .excludes = {never_causal("Places of an image have no before and after.")},
               .coordinates = {{"scoring", "scaled multiplicative"}, {"alignment", "global"}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
