// SPDX-License-Identifier: Apache-2.0
// One linear map of every row:  F = X W + b
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

void build(const ModuleIn& module) {
  const ModuleIn in{module.sized()};
  const Var x = in["x"];  // [n d]
  in.label("n", x);
  Var f = matmul(x, in.param("W"));  // [n p]
  if (const Var b = in.param_if("b", "bias")) f = f + b;
  in.output(out::output, let("F", f), "n p");
}

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &W = in.parameter("W");
  Array f({x.rows(), W.cols()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const Row row = mapped(x.row(i), W);
    for (std::size_t c = 0; c < row.size(); ++c)
      f(i, c) = row[c] + (in.flag("bias") ? in.parameter("b")(c) : 0);
  }
  return {{"output", f}};
}

}  // namespace

namespace catalogue {
extern const Entry fm_linear_entry;
const Entry fm_linear_entry{.words = {.title = "Linear features",
                                      .formula = R"(F = X W + b)",
                                      .sentence = "Maps every row by one matrix.",
                                      .source = {"Brauwers, Frasincar", 2022, "section 2.1",
                                                 "https://arxiv.org/abs/2203.14263"}},
                            .record = {.id = "fm-linear",
                                       .parameters = {{"W", "d p"}, {"b", "p", Distribution::zero}},
                                       .knobs = {size_knob("width", "Width", "p", "d", 1, 256),
                                                 flag_knob("bias", "Bias", false)},
                                       .roles = {{"x", "n d"}},
                                       .behaviour = Structure{build}},
                            .reference = reference};
}  // namespace catalogue
}  // namespace attend
