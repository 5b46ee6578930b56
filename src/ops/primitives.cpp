// SPDX-License-Identifier: Apache-2.0
#include "ops/primitives.h"

#include <utility>

#include "ops/compose.h"
#include "ops/primitives/extents.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

// The attributes that primitives over one axis share: the axis counted from the end, and a flag.
Var over_axis(const Primitive& primitive, Var x, long axis, bool flag) {
  return apply(primitive, {x}, {{from_end(axis_index(axis, x.rank()), x.rank()), flag ? 1L : 0L}});
}

}  // namespace

Var negative(Var x) { return apply(primitives::negative, {x}); }
Var exp(Var x) { return apply(primitives::exp, {x}); }
Var log(Var x) { return apply(primitives::log, {x}); }
Var sqrt(Var x) { return apply(primitives::sqrt, {x}); }
Var tanh(Var x) { return apply(primitives::tanh, {x}); }
Var sigmoid(Var x) { return apply(primitives::sigmoid, {x}); }
Var absolute(Var x) { return apply(primitives::absolute, {x}); }
Var sin(Var x) { return apply(primitives::sin, {x}); }
Var cos(Var x) { return apply(primitives::cos, {x}); }
Var erf(Var x) { return apply(primitives::erf, {x}); }
Var arccos(Var x) { return apply(primitives::arccos, {x}); }
Var floor(Var x) { return apply(primitives::floor, {x}); }
Var detach(Var x) { return apply(primitives::detach, {x}); }
Var add(Var a, Var b) { return apply(primitives::add, {a, b}); }
Var subtract(Var a, Var b) { return apply(primitives::subtract, {a, b}); }
Var multiply(Var a, Var b) { return apply(primitives::multiply, {a, b}); }
Var divide(Var a, Var b) { return apply(primitives::divide, {a, b}); }
Var maximum(Var a, Var b) { return apply(primitives::maximum, {a, b}); }
Var power(Var a, Var b) { return apply(primitives::power, {a, b}); }
Var greater(Var a, Var b) { return apply(primitives::greater, {a, b}); }
Var equal(Var a, Var b) { return apply(primitives::equal, {a, b}); }
Var where(Var condition, Var yes, Var no) { return apply(primitives::where, {condition, yes, no}); }
Var sum(Var x, long axis, bool keep) { return over_axis(primitives::sum, x, axis, keep); }
Var max(Var x, long axis, bool keep) { return over_axis(primitives::max, x, axis, keep); }
Var argmax(Var x, long axis, bool keep) { return over_axis(primitives::argmax, x, axis, keep); }
Var cumsum(Var x, long axis, bool reverse) {
  return over_axis(primitives::cumsum, x, axis, reverse);
}
Var inverse(Var x) { return apply(primitives::inverse, {x}); }
Var reshape(Var x, const Shape& shape) {
  return apply(primitives::reshape, {x}, to_attributes(shape));
}
Var permute(Var x, std::vector<long> axes) {
  return apply(primitives::permute, {x}, {std::move(axes), 0});
}
Var broadcast_to(Var x, const Shape& shape) {
  return x.shape() == shape ? x : apply(primitives::broadcast_to, {x}, to_attributes(shape));
}
Var concat(const std::vector<Var>& parts, long axis) {
  if (parts.size() == 1) return parts[0];
  const long from = from_end(axis_index(axis, parts[0].rank()), parts[0].rank());
  return apply(primitives::concat, parts, {{from}, 0});
}
Var argsort(Var x) { return apply(primitives::argsort, {x}); }
Var fill(Graph& graph, Shape shape, double value) {
  return graph.record(primitives::fill, {}, {{shape.begin(), shape.end()}, value});
}
Var iota(Graph& graph, std::size_t count, long axis_from_end) {
  std::vector<long> shape(static_cast<std::size_t>(axis_from_end), 1);
  shape.front() = static_cast<long>(count);
  return graph.record(primitives::iota, {}, {std::move(shape), 0});
}

}  // namespace attend
