// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "kernels/scratch.h"
#include "ops/compose.h"
#include "ops/error.h"
#include "ops/primitive.h"
#include "ops/text.h"

// What reductions over one axis share. Attributes: the axis counted from the end (negative), keep
// (0 or 1).
namespace attend::reduction {

inline std::size_t axis_of(const Shape& in, const Attributes& a) {
  return axis_index(a[0], in.size());
}

inline Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape reduced = in[0];
  const std::size_t axis = axis_of(reduced, a);
  if (reduced[axis] == 0) refuse("nothing to reduce: the axis is empty");
  if (a[1] != 0) {
    reduced[axis] = 1;
  } else {
    reduced.erase(reduced.begin() + static_cast<long>(axis));
  }
  return reduced;
}

// Rows are contiguous when the axis is the last; otherwise the cells of an axis are gathered first.
template <class Rows>
void by_rows(const Forward& f, Rows rows) {
  const AxisView v = view_axis(*f.in_shapes[0], axis_of(*f.in_shapes[0], f.node.attributes));
  if (v.inner == 1) return rows(f.in[0], f.out, v.outer, v.length);
  kernels::Scratch<real> line(v.length);
  for (std::size_t o = 0; o < v.outer; ++o) {
    for (std::size_t i = 0; i < v.inner; ++i) {
      const real* from = f.in[0] + o * v.length * v.inner + i;
      for (std::size_t k = 0; k < v.length; ++k) line.data()[k] = from[k * v.inner];
      rows(line.data(), f.out + o * v.inner + i, 1, v.length);
    }
  }
}

inline AxisView view_of(const Forward& f) {
  return view_axis(*f.in_shapes[0], axis_of(*f.in_shapes[0], f.node.attributes));
}

// The gradient of a reduction, with the axis back in place.
inline Var restored(const Backward& b) {
  return b.attributes[1] != 0
             ? b.gradient
             : expand(b.gradient, static_cast<long>(axis_index(b.attributes[0], b.in[0].rank())));
}

// Cells of the operand that one cell of a reduction reads, in order.
inline std::vector<std::size_t> line_of(const CellQuery& q) {
  const Shape& shape = *q.in_shapes[0];
  const AxisView v = view_axis(shape, axis_of(shape, q.node.attributes));
  const std::size_t start = q.flat / v.inner * v.length * v.inner + q.flat % v.inner;
  std::vector<std::size_t> cells(v.length);
  for (std::size_t k = 0; k < v.length; ++k) cells[k] = start + k * v.inner;
  return cells;
}

inline std::vector<Text> terms(const CellQuery& q, const std::vector<std::size_t>& cells) {
  std::vector<Text> list;
  for (const std::size_t cell : cells) list.push_back(q.operand(0, cell));
  return list;
}

inline std::string python_axis(const Expression& e, const char* keep) {
  return "axis=" + std::to_string(e.integer(0)) +
         (e.integer(1) != 0 ? std::string(", ") + keep + "=True" : "");
}

inline constexpr List<Sample> samples{{{{3, 4}}, {{-1, 0}}},
                                      {{{3, 4}}, {{-1, 1}}},
                                      {{{2, 3, 4}}, {{-2, 0}}},
                                      {{{2, 3, 4}}, {{-3, 1}}}};

}  // namespace attend::reduction
