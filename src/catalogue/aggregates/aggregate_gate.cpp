// SPDX-License-Identifier: Apache-2.0
// A gate between the query and what was attended:  u = f x + (1 - f) c,  f = sigma(x W1 + c W2 + b)
// Shen et al. 2018 (DiSAN), arXiv:1709.04696;
// Galassi, Lippi, Torroni 2021, remark at equation 9
#include "catalogue/entry.h"

namespace attend::aggregate_gate_entry {
namespace {

Var build(const AggregateIn& in) {  // x [.. m d], context [.. m d]
  const Var x = in.inputs.q, c = in.context;
  if (!x) refuse("it gates the query, but this module has none");
  if (x.extent(-1) != c.extent(-1)) {
    refuse("query and value must be equally wide; they are " + std::to_string(x.extent(-1)) +
           " and " + std::to_string(c.extent(-1)) + " wide");
  }
  const auto [W1, W2, b] = in.params<3>();
  const Var f = let("f", sigmoid(matmul(x, W1) + matmul(c, W2) + b));  // [.. m d]
  in.output(out::gate, f, in.axes + " dv");
  return f * x + (1 - f) * c;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["query"], &c = in["context"];
  Array gate(c.shape), u(c.shape);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const Row from_x = mapped(x.row(i), in.parameter("W1"));
    const Row from_c = mapped(c.row(i), in.parameter("W2"));
    for (std::size_t d = 0; d < c.cols(); ++d) {
      gate(i, d) = activate("sigmoid", from_x[d] + from_c[d] + in.parameter("b")(d));
      u(i, d) = c(i, d) + gate(i, d) * (x(i, d) - c(i, d));
    }
  }
  return {{"gate", gate}, {"output", u}};
}

extern const Mechanism record{
    .id = "aggregate-gate",
    .aliases = {"fusion-gate"},
    .parameters = {{"W1", "dq dv"}, {"W2", "dv dv"}, {"b", "dv", Distribution::zero}},
    .needs_query = true,
    .beside = {{"score", "dot"}},
    .extents = {{"dv", 6}},
    .behaviour = Aggregate{build}};
}  // namespace attend::aggregate_gate_entry
