// SPDX-License-Identifier: Apache-2.0
// Binary cross-entropy, the mean over all numbers:  L = mean( ln(1 + e^x) - x y )
#include "catalogue/entry.h"

namespace attend::binary_cross_entropy_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["logits"], y = inputs["target"];  // [m c] of any numbers, [m c] from 0 to 1
  if (x.shape() != y.shape())
    refuse(in.source_of("target"),
           "expected the logits' shape " + to_text(x.shape()) + ", found " + to_text(y.shape()));
  const Var each = activation("softplus", x) - x * y;
  return {{out::loss, let("L", mean(reshape(each, {element_count(x.shape())}), 0)), ""}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["logits"], &y = in["target"];
  double loss = 0;
  for (std::size_t i = 0; i < x.data.size(); ++i) {
    const double p = 1 / (1 + std::exp(-x.data[i]));
    loss -= (y.data[i] * std::log(p) + (1 - y.data[i]) * std::log1p(-p)) /
            static_cast<double>(x.data.size());
  }
  return {{"loss", Array(Shape{}, loss)}};
}

extern const Mechanism record{.id = "binary-cross-entropy",
                              .roles = {{"logits", "m c"}, {"target", "m c"}},
                              .behaviour = Structure{build}};
}  // namespace attend::binary_cross_entropy_entry
