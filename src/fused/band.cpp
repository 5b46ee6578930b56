// SPDX-License-Identifier: Apache-2.0
#include "fused/band.h"

#include <algorithm>
#include <cmath>

#include "ops/primitives/records.h"

namespace attend::fused {
namespace {

using namespace attend::primitives;

// row * i + column * j + constant, or its absolute value.
struct Line {
  double row = 0, column = 0, constant = 0;
  bool absolute = false;

  [[nodiscard]] bool is_number() const { return row == 0 && column == 0; }
  [[nodiscard]] Line times(double factor) const {
    return {row * factor, column * factor, constant * factor, absolute};
  }
};

std::optional<Line> sum(const std::optional<Line>& a, const std::optional<Line>& b, double sign) {
  if (!a || !b || a->absolute || b->absolute) return std::nullopt;
  return Line{a->row + sign * b->row, a->column + sign * b->column,
              a->constant + sign * b->constant};
}

std::optional<Line> line_of(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  const auto operand = [&](std::size_t k) { return line_of(graph, node.inputs[k]); };
  if (node.primitive == &fill) return Line{0, 0, node.attributes.number};
  if (node.primitive == &iota) {
    if (node.shape.size() == 1) return Line{0, 1, 0};
    return node.shape.size() == 2 ? std::optional(Line{1, 0, 0}) : std::nullopt;
  }
  if (node.primitive == &add) return sum(operand(0), operand(1), 1);
  if (node.primitive == &subtract) return sum(operand(0), operand(1), -1);
  if (node.primitive == &negative) return sum(Line{}, operand(0), -1);
  if (node.primitive == &attend::primitives::absolute) {
    std::optional<Line> line = operand(0);
    if (!line || line->absolute) return std::nullopt;
    line->absolute = true;
    return line;
  }
  if (node.primitive == &multiply) {
    const auto a = operand(0), b = operand(1);
    if (!a || !b || a->absolute || b->absolute) return std::nullopt;
    if (a->is_number()) return b->times(a->constant);
    if (b->is_number()) return a->times(b->constant);
  }
  return std::nullopt;
}

// The largest whole number below x.
std::ptrdiff_t below(double x) {
  if (x > static_cast<double>(unbounded)) return unbounded;
  return static_cast<std::ptrdiff_t>(std::ceil(std::max(x, -static_cast<double>(unbounded)))) - 1;
}

// The keys with row * i + column * j + constant > 0, where that depends on i - j alone.
std::optional<Band> above_zero(const Line& line) {
  if (line.row == 0 || line.row != -line.column) return std::nullopt;
  if (line.row > 0) return Band{unbounded, below(line.constant / line.row)};
  return Band{below(line.constant / line.column), unbounded};
}

Band both(const Band& a, const Band& b) {
  return {std::min(a.before, b.before), std::min(a.after, b.after)};
}

// a > b
std::optional<Band> where_greater(const Line& a, const Line& b) {
  if (a.absolute) return std::nullopt;
  if (!b.absolute) return above_zero(*sum(a, b, -1));
  if (!a.is_number()) return std::nullopt;
  const Line inside{b.row, b.column, b.constant};
  const auto low = above_zero(*sum(a, inside, -1)), high = above_zero(*sum(a, inside, 1));
  return low && high ? std::optional(both(*low, *high)) : std::nullopt;
}

}  // namespace

std::optional<Band> band_of(const Graph& graph, NodeId mask) {
  const Node& node = graph[mask];
  if (node.primitive == &reshape && graph[node.inputs[0]].shape == node.shape)
    return band_of(graph, node.inputs[0]);
  if (node.primitive == &multiply) {
    const auto a = band_of(graph, node.inputs[0]), b = band_of(graph, node.inputs[1]);
    return a && b ? std::optional(both(*a, *b)) : std::nullopt;
  }
  if (node.primitive != &greater) return std::nullopt;
  const auto a = line_of(graph, node.inputs[0]), b = line_of(graph, node.inputs[1]);
  return a && b ? where_greater(*a, *b) : std::nullopt;
}

}  // namespace attend::fused
