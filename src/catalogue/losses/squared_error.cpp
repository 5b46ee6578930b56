// SPDX-License-Identifier: Apache-2.0
// Squared error, the mean over all numbers:  L = mean( (x - y)^2 )
#include "catalogue/entry.h"

namespace attend::squared_error_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["output"], y = inputs["target"];  // [m d] [m d]
  if (x.shape() != y.shape())
    refuse(in.source_of("target"),
           "expected the output's shape " + to_text(x.shape()) + ", found " + to_text(y.shape()));
  const Var gap = x - y;
  return {{out::loss, let("L", mean(reshape(gap * gap, {element_count(x.shape())}), 0)), ""}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["output"], &y = in["target"];
  const double loss = sum_over(x.data.size(), [&](std::size_t i) {
    return (x.data[i] - y.data[i]) * (x.data[i] - y.data[i]) / static_cast<double>(x.data.size());
  });
  return {{"loss", Array(Shape{}, loss)}};
}

extern const Mechanism record{.id = "squared-error",
                              .roles = {{"output", "m d"}, {"target", "m d"}},
                              .behaviour = Structure{build}};
}  // namespace attend::squared_error_entry
