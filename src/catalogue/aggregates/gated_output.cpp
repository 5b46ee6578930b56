// SPDX-License-Identifier: Apache-2.0
// A gate behind attention that the token's own row opens:  u = G c,  G = sigma(x W_g + b_g),
// x the rows that ask, before the heads' projections; one number for each feature, or one for the head
// Qiu et al. 2025, arXiv:2505.06708
#include "catalogue/entry.h"

namespace attend::gated_output_entry {
namespace {

Var build(const AggregateIn& in) {  // context [.. m dv]
  const Var x = in.whole.q;         // [m dx]
  if (!x) refuse("its gate reads the query, but this module has none");
  const bool element = in.text("per") == "element";
  const Var W = in.param("W_g", element ? "dx dv" : "dx 1");
  const Var b = in.param("b_g", element ? "dv" : "1");
  const Var gate = let("G", sigmoid(matmul(x, W) + b));  // [.. m dv] or [.. m 1]
  in.output(out::gate, gate, in.axes + (element ? " dv" : " 1"));
  return gate * in.context;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["inputs.query"], &c = in["context"], &W = in.parameter("W_g");
  Array gate({c.rows(), W.cols()}), u(c.shape);
  for (std::size_t i = 0; i < c.rows(); ++i) {
    const Row opened = mapped(x.row(i), W);
    for (std::size_t d = 0; d < gate.cols(); ++d)
      gate(i, d) = activate("sigmoid", opened[d] + in.parameter("b_g").data[d]);
    for (std::size_t d = 0; d < c.cols(); ++d)
      u(i, d) = c(i, d) * gate(i, gate.cols() == 1 ? 0 : d);
  }
  return {{"gate", gate}, {"output", u}};
}

extern const Mechanism record{
    .id = "gated-output",
    .aliases = {"gated-attention"},
    .parameters = {{"W_g", "dx dv | dx 1"}, {"b_g", "dv | 1", Distribution::zero}},
    .knobs = {choice_knob("per", "element", {"element", "head"})},
    .needs_query = true,
    .behaviour = Aggregate{build}};
}  // namespace attend::gated_output_entry
