// SPDX-License-Identifier: Apache-2.0
// Rows of a table by their numbers:  F_i = scale E[x_i].  Only the rows that occur are read, however long the table is.
#include "catalogue/entry.h"
#include "ops/listed.h"

namespace attend::fm_lookup_entry {
namespace {

Tensors build(const Scope& module, const Tensors&) {
  const Scope in = module.sized();
  // Read behind the sizes, so that numbers are checked against the rows of a given table.
  const Var x = in.need("x");  // [n 1], whole numbers below v
  in.label("n", x);
  Var f = listed_sums(ones(in.graph(), x.shape()), in.param("E"), x);  // [n d]
  if (in.number("scale") != 1) f = f * in.scalar("scale");
  return {{out::output, let("F", f), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &E = in.parameter("E");
  const Array f = table_by(x.rows(), E.cols(), [&](std::size_t i, std::size_t c) {
    return in.number("scale") * E(static_cast<std::size_t>(x(i, 0)), c);
  });
  return {{"output", f}};
}

extern const Mechanism record{
    .id = "fm-lookup",
    .parameters = {{"E", "v d"}},
    .knobs = {size_knob("rows", "v", 16., 1, 512), size_knob("dim", "d", 16., 1, 256),
              number_knob("scale", 1., .1, 64).above(0).log_scale()},
    .roles = {{.name = "x", .shape = "n 1", .words = true}},
    .around = R"({"inputs": {"x": {"shape": [5, 1], "data": [0, 0, 0, 0, 0]}}})",
    .behaviour = Structure{build}};
}  // namespace attend::fm_lookup_entry
