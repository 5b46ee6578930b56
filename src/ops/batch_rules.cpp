// SPDX-License-Identifier: Apache-2.0
#include "ops/batch_rules.h"

#include "ops/compose.h"

namespace attend::batch {
namespace {

Shape led_by(std::size_t size, const Shape& one) {
  Shape shape{size};
  shape.insert(shape.end(), one.begin(), one.end());
  return shape;
}

Var recorded(const Batch& b, const std::vector<Var>& in, Attributes attributes) {
  return in.front().graph().record(*b.node.primitive, in, std::move(attributes));
}

template <class Operand>
Var recorded_with(const Batch& b, Operand operand, Attributes attributes) {
  std::vector<Var> in;
  for (std::size_t k = 0; k < b.in.size(); ++k) in.push_back(operand(k));
  return recorded(b, in, std::move(attributes));
}

}  // namespace

Var aligned(const Batch& b, std::size_t k, std::size_t rank) {
  const Var x = b.in[k];
  if (!b.led[k] || b.one[k]->size() >= rank) return x;
  Shape shape = x.shape();
  shape.insert(shape.begin() + 1, rank - b.one[k]->size(), 1);
  return reshape(x, shape);
}

Var spread(const Batch& b, std::size_t k) {
  return b.led[k] ? b.in[k] : broadcast_to(b.in[k], led_by(b.size, *b.one[k]));
}

Shape shape_of(const Batch& b) { return led_by(b.size, b.node.shape); }

Var by_broadcasting(const Batch& b) {
  const std::size_t rank = b.node.shape.size();
  return recorded_with(
      b, [&](std::size_t k) { return aligned(b, k, rank); }, b.node.attributes);
}

Var by_first(const Batch& b) {
  const std::size_t rank = b.node.shape.size();
  return recorded_with(
      b, [&](std::size_t k) { return k == 0 ? spread(b, 0) : aligned(b, k, rank); },
      b.node.attributes);
}

Var by_operands(const Batch& b) {
  return recorded_with(
      b, [&](std::size_t k) { return spread(b, k); }, b.node.attributes);
}

Var by_examples(const Batch& b) {
  std::vector<Var> parts;
  for (std::size_t i = 0; i < b.size; ++i) {
    const Var part = recorded_with(
        b,
        [&](std::size_t k) {
          return b.led[k] ? reshape(slice(b.in[k], 0, i, i + 1), *b.one[k]) : b.in[k];
        },
        b.node.attributes);
    parts.push_back(reshape(part, led_by(1, part.shape())));
  }
  return concat(parts, 0);
}

}  // namespace attend::batch
