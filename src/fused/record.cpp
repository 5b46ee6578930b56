// SPDX-License-Identifier: Apache-2.0
#include "fused/record.h"

#include "fused/operands.h"
#include "ops/batch_rules.h"
#include "ops/primitives.h"

namespace attend::fused {

Shape gradient_shape(const Form& form, const std::vector<Shape>& in, const Attributes& attributes) {
  std::size_t count = 0;
  for (std::size_t k = 0; k + 2 < in.size(); ++k) {
    if (!form.is_constant(attributes, k)) count += element_count(in[k]);
  }
  return {count};
}

std::vector<Var> gradients_by(const Form& form, const Primitive& gradient, const Backward& b) {
  std::vector<Var> in = b.in;
  in.push_back(b.out);
  in.push_back(b.gradient);
  const Var all = b.gradient.graph().record(gradient, in, b.attributes);
  std::vector<Var> gradients;
  std::size_t start = 0;
  for (std::size_t k = 0; k < b.in.size(); ++k) {
    if (form.is_constant(b.attributes, k)) {
      gradients.emplace_back();
      continue;
    }
    const std::size_t count = element_count(b.in[k].shape());
    gradients.push_back(reshape(slice(all, 0, start, start + count), b.in[k].shape()));
    start += count;
  }
  return gradients;
}

Var batch_of_heads(const Batch& b) {
  const Shape& rows = *b.one[0];
  std::vector<Var> in;
  for (std::size_t k = 0; k < b.in.size(); ++k) {
    const bool shared = k != 0 && !b.led[k] && batch_of(*b.one[k]) == 1;
    if (shared) {
      in.push_back(b.in[k]);
      continue;
    }
    const Var x = batch::aligned(b, k, rows.size());
    Shape whole{b.size};
    whole.insert(whole.end(), rows.begin(), rows.end() - 2);
    whole.insert(whole.end(), x.shape().end() - 2, x.shape().end());
    in.push_back(broadcast_to(x, whole));
  }
  return apply(*b.node.primitive, in, b.node.attributes);
}

Text hidden_cell(const CellQuery&) { return {"\\ldots"}; }

}  // namespace attend::fused
