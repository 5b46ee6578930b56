// SPDX-License-Identifier: Apache-2.0
// Residual and normalisation:  F_new = LayerNorm(F + C); with norm "pre", F_new = F +
// Att(LayerNorm(F)) Vaswani et al. 2017, section 3.1, arXiv:1706.03762; Brauwers & Frasincar 2022,
// equation 37
#include "catalogue/entry.h"

namespace attend::selfatt_residual_entry {
namespace {

Var normed(const OutputIn& in, Var rows) {
  return let("\\operatorname{LN}",
             layer_norm(rows, in.param("gamma"), in.param("beta"), in.scalar("eps")));
}

Var before(const OutputIn& in, Var features) {
  return in.text("norm") == "pre" ? normed(in, features) : features;
}

void build(const OutputIn& in) {  // features [m df], context [m df]
  if (!in.features) refuse("it adds the context to the query, but this module has none");
  if (in.features.extent(-1) != in.context.extent(-1)) {
    refuse("the context must be as wide as the rows that it is added to: " +
           std::to_string(in.features.extent(-1)) + " expected, found " +
           std::to_string(in.context.extent(-1)));
  }
  const Var sum = in.features + in.context;
  in.output(out::output, in.text("norm") == "pre" ? sum : normed(in, sum), "m df");
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &f = in["inputs.query"], sum = plus(f, in["context"]);
  const auto norm = [&](const Array& x) {
    return normed(x, in.parameter("gamma"), in.parameter("beta"), in.number("eps"));
  };
  const bool pre = in.text("norm") == "pre";
  return {{"output", pre ? sum : norm(sum)}, {"query", pre ? norm(f) : f}};
}

extern const Mechanism record{
    .id = "selfatt-residual",
    .parameters = {{"gamma", "df", Distribution::one}, {"beta", "df", Distribution::zero}},
    .knobs = {choice_knob("norm", "post", {"post", "pre"}),
              number_knob("eps", 1e-5, 1e-8, 1e-2).above(0).log_scale()},
    .needs_query = true,
    .extents = {{"dv", 6}},
    .behaviour = OutputModel{build, before}};
}  // namespace attend::selfatt_residual_entry
