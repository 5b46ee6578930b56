// SPDX-License-Identifier: Apache-2.0
// How alike two lists of rows are, row by row:  e_i = x_i . y_i / (|x_i| |y_i|),  s = sum_i e_i
// Tran, Niederée 2018 (question and answer at every hop); the cosine as a score: Galassi, Lippi, Torroni 2021,
// section IV-B, arXiv:1902.02181
#include "catalogue/entry.h"
#include "ops/ratio.h"

namespace attend::om_cosine_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x1"], y = inputs["x2"];  // [n d] [n d]
  if (x.shape() != y.shape())
    refuse(in.source_of("x2"),
           "expected the shape of \"x1\", " + to_text(x.shape()) + ", found " + to_text(y.shape()));
  in.label("n", x);
  const Var lengths = let("|x_i|\\,|y_i|", norm(x, -1) * norm(y, -1));  // [n]
  const Var alike = let("e", ratio(sum(x * y, -1), lengths));           // [n]
  return {{OutputKind{"similarities", TensorRole::scores}, alike, "n"},
          {out::output, let("s", reshape(sum(alike, -1), {1, 1})), "1 1"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["x1"], &y = in["x2"];
  Array alike({x.rows()}), total({1, 1});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const double lengths = std::sqrt(inner(x.row(i), x.row(i)) * inner(y.row(i), y.row(i)));
    total() += alike(i) = lengths > 0 ? inner(x.row(i), y.row(i)) / lengths : 0;
  }
  return {{"similarities", alike}, {"output", total}};
}

extern const Mechanism record{
    .id = "om-cosine", .roles = {{"x1", "n d"}, {"x2", "n d"}}, .behaviour = Structure{build}};
}  // namespace attend::om_cosine_entry
