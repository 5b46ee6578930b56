// SPDX-License-Identifier: Apache-2.0
// Classes from features:  logits = x W_c + b_c,  p = softmax(logits);  with a cap c the logits are c tanh(logits / c),
// as in Gemma 2, arXiv:2408.00118
#include "catalogue/entry.h"

namespace attend::om_softmax_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [m d]
  in.label("m", x);
  Var logits = matmul(x, in.param("W_c")) + in.param("b_c");  // [m c]
  if (in.has("cap")) logits = in.scalar("cap") * tanh(logits / in.scalar("cap"));
  logits = let("\\text{logits}", logits);
  return {{"logits", logits, "m c"},
          {OutputKind{"probabilities", TensorRole::output, NumberKind::probability},
           let("p", softmax(logits)), "m c"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x"], &W = in.parameter("W_c");
  Array logits({x.rows(), W.cols()}), p = logits;
  for (std::size_t i = 0; i < x.rows(); ++i) {
    Row row = mapped(x.row(i), W);
    for (std::size_t c = 0; c < row.size(); ++c) {
      row[c] += in.parameter("b_c")(c);
      if (in.knobs.contains("cap"))
        row[c] = in.number("cap") * activate("tanh", row[c] / in.number("cap"));
      logits(i, c) = row[c];
    }
    p.set(softened(row), i);
  }
  return {{"logits", logits}, {"probabilities", p}};
}

extern const Mechanism record{
    .id = "om-softmax",
    .parameters = {{"W_c", "d c"}, {"b_c", "c", Distribution::zero}},
    .knobs = {size_knob("classes", "c", 3., 2, 64),
              number_knob("cap", "none", .5, 100).above(0).log_scale().optionally()},
    .roles = {{"x", "m d"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::om_softmax_entry
