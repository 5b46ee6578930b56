// SPDX-License-Identifier: Apache-2.0
// Hinge loss, the mean over all numbers:  L = mean( max(0, 1 - x y) ),  y = 1 or -1
#include "catalogue/entry.h"

namespace attend::hinge_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["output"], y = inputs["target"];  // [m c] [m c] of 1 and -1
  if (x.shape() != y.shape())
    refuse(in.source_of("target"),
           "expected the output's shape " + to_text(x.shape()) + ", found " + to_text(y.shape()));
  return {{out::loss, let("L", mean(reshape(relu(1 - x * y), {element_count(x.shape())}), 0)), ""}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["output"], &y = in["target"];
  const double loss = sum_over(x.data.size(), [&](std::size_t i) {
    return std::max(0., 1 - x.data[i] * y.data[i]) / static_cast<double>(x.data.size());
  });
  return {{"loss", Array(Shape{}, loss)}};
}

extern const Mechanism record{
    .id = "hinge", .roles = {{"output", "m c"}, {"target", "m c"}}, .behaviour = Structure{build}};
}  // namespace attend::hinge_entry
