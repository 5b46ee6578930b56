// SPDX-License-Identifier: Apache-2.0
#include "ops/keep_row.h"

#include <algorithm>

#include "ops/primitive.h"
#include "ops/shape.h"

namespace attend {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) { return in[0]; }

void forward(const Forward& f) {
  const AxisView all = view_axis(f.node.shape, static_cast<std::size_t>(f.node.attributes[0]));
  for (std::size_t row = 0; row < all.length; ++row) {
    if (f.in[2][row] == 0) continue;
    for (std::size_t o = 0; o < all.outer; ++o)
      std::copy_n(f.in[1] + o * all.inner, all.inner, f.out + (o * all.length + row) * all.inner);
  }
}

Cost cost(const Sizes& sizes) {
  Cost one;
  one.bytes = 2 * sizeof(real) * std::uint64_t{element_count(*sizes.in[1])};
  return one;
}

// No document has such a node: it is part of a step alone, which is neither differentiated nor printed.
constexpr Primitive keep_row_record{
    .name = "keep_row", .shape = shape, .forward = forward, .cost = cost, .in_place = true};

}  // namespace

Var keep_row(Var rows, Var own, Var place, std::size_t axis) {
  return apply(keep_row_record, {rows, own, place}, {{static_cast<long>(axis)}});
}

}  // namespace attend
