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
  if (node.primitive == &fill && !node.leaf) return Line{0, 0, node.attributes.number};
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

std::optional<Band> both(const Band& a, const Band& b) {
  if (a.block != 0 && b.block != 0 && a.block != b.block) return std::nullopt;
  return Band{std::min(a.before, b.before), std::min(a.after, b.after), std::max(a.block, b.block)};
}

// a > b
std::optional<Band> where_greater(const Line& a, const Line& b) {
  if (a.absolute) return std::nullopt;
  if (!b.absolute) return above_zero(*sum(a, b, -1));
  if (!a.is_number()) return std::nullopt;
  const Line inside{b.row, b.column, b.constant};
  const auto low = above_zero(*sum(a, inside, -1)), high = above_zero(*sum(a, inside, 1));
  return low && high ? both(*low, *high) : std::nullopt;
}

// floor(index / size): which block of so many an index is in.
struct BlockOf {
  Line index;
  double size;
};

std::optional<BlockOf> block_of(const Graph& graph, NodeId id) {
  if (graph[id].primitive != &attend::primitives::floor) return std::nullopt;
  const Node& ratio = graph[graph[id].inputs[0]];
  if (ratio.primitive != &divide) return std::nullopt;
  const auto index = line_of(graph, ratio.inputs[0]), size = line_of(graph, ratio.inputs[1]);
  if (!index || index->absolute || !size || size->absolute || !size->is_number())
    return std::nullopt;
  return BlockOf{*index, size->constant};
}

// Where row and column are in the same block.
std::optional<Band> same_block(const std::optional<BlockOf>& a, const std::optional<BlockOf>& b) {
  if (!a || !b || a->size != b->size || a->size < 1 || a->size != std::floor(a->size) ||
      a->size > static_cast<double>(1 << 20) || a->index.constant != 0 || b->index.constant != 0)
    return std::nullopt;
  const auto is = [](const Line& x, double row, double column) {
    return x.row == row && x.column == column;
  };
  if (!(is(a->index, 1, 0) && is(b->index, 0, 1)) && !(is(a->index, 0, 1) && is(b->index, 1, 0)))
    return std::nullopt;
  return Band{unbounded, unbounded, static_cast<std::size_t>(a->size)};
}

}  // namespace

std::optional<Band> band_of(const Graph& graph, NodeId mask) {
  const Node& node = graph[mask];
  if (node.primitive == &reshape && graph[node.inputs[0]].shape == node.shape)
    return band_of(graph, node.inputs[0]);
  if (node.primitive == &multiply) {
    const auto a = band_of(graph, node.inputs[0]), b = band_of(graph, node.inputs[1]);
    return a && b ? both(*a, *b) : std::nullopt;
  }
  if (node.primitive == &equal)
    return same_block(block_of(graph, node.inputs[0]), block_of(graph, node.inputs[1]));
  if (node.primitive != &greater) return std::nullopt;
  const auto a = line_of(graph, node.inputs[0]), b = line_of(graph, node.inputs[1]);
  return a && b ? where_greater(*a, *b) : std::nullopt;
}

}  // namespace attend::fused
