// SPDX-License-Identifier: Apache-2.0
// Primitives that move numbers without changing them.
#include <algorithm>
#include <numeric>

#include "ops/broadcast_loop.h"
#include "ops/compose.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

Shape to_shape(const std::vector<long>& integers) { return {integers.begin(), integers.end()}; }
Attributes to_attributes(const Shape& shape) { return {{shape.begin(), shape.end()}, 0}; }

Text unchanged(const Expression& e) { return e.in[0]; }

Shape reshape_shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape shape = to_shape(a.integers);
  if (element_count(shape) != element_count(in[0])) {
    refuse("shape " + to_text(in[0]) + " cannot be read as " + to_text(shape));
  }
  return shape;
}

void copy_all(const Forward& f) { std::copy_n(f.in[0], element_count(f.node.shape), f.out); }

Shape permute_shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape shape;
  for (const long axis : a.integers) shape.push_back(in[0][axis_index(axis, in[0].size())]);
  return shape;
}

// The operand's cell behind cell `flat` of a permuted result.
std::size_t permuted(std::size_t flat, const Strides& strides, const Node& node) {
  std::size_t at = 0;
  for (std::size_t i = node.shape.size(); i-- > 0;) {
    at += flat % node.shape[i] * strides[static_cast<std::size_t>(node.attributes[i])];
    flat /= node.shape[i];
  }
  return at;
}

void forward_permute(const Forward& f) {
  const Strides strides = strides_of(*f.in_shapes[0]);
  const Shape& shape = f.node.shape;
  if (shape.empty()) return copy_all(f);
  const std::size_t length = shape.back();
  const std::size_t step = strides[static_cast<std::size_t>(f.node.attributes.integers.back())];
  const std::size_t rows = length == 0 ? 0 : element_count(shape) / length;
  for (std::size_t r = 0; r < rows; ++r) {
    const real* from = f.in[0] + permuted(r * length, strides, f.node);
    for (std::size_t i = 0; i < length; ++i) f.out[r * length + i] = from[i * step];
  }
}

Shape broadcast_to_shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape shape = to_shape(a.integers);
  if (broadcast_shapes(in[0], shape) != shape) {
    refuse("shape " + to_text(in[0]) + " cannot be repeated to " + to_text(shape));
  }
  return shape;
}

void forward_broadcast(const Forward& f) {
  for_each_run<1>(f.node.shape, {*f.in_shapes[0]},
                  [&](std::size_t at, const auto& offset, std::size_t count, const auto& step) {
                    for (std::size_t i = 0; i < count; ++i)
                      f.out[at + i] = f.in[0][offset[0] + i * step[0]];
                  });
}

// Attributes of slice: axis from the end, start, stop.
Shape slice_shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape shape = in[0];
  std::size_t& extent = shape[axis_index(a[0], shape.size())];
  if (a[1] < 0 || a[1] > a[2] || a[2] > static_cast<long>(extent)) {
    refuse("entries " + std::to_string(a[1]) + " to " + std::to_string(a[2]) +
           " are outside an axis of " + std::to_string(extent));
  }
  extent = static_cast<std::size_t>(a[2] - a[1]);
  return shape;
}

void forward_slice(const Forward& f) {
  const Attributes& a = f.node.attributes;
  const AxisView v = view_axis(*f.in_shapes[0], axis_index(a[0], f.in_shapes[0]->size()));
  const std::size_t count = static_cast<std::size_t>(a[2] - a[1]) * v.inner;
  for (std::size_t o = 0; o < v.outer; ++o) {
    std::copy_n(f.in[0] + (o * v.length + static_cast<std::size_t>(a[1])) * v.inner, count,
                f.out + o * count);
  }
}

std::vector<Var> slice_vjp(const Backward& b) {
  const long axis = b.attributes[0];
  Shape before = b.in[0].shape(), after = before;
  const std::size_t at = axis_index(axis, before.size());
  before[at] = static_cast<std::size_t>(b.attributes[1]);
  after[at] -= static_cast<std::size_t>(b.attributes[2]);
  std::vector<Var> parts;
  if (before[at] > 0) parts.push_back(zeros(b.gradient.graph(), before));
  parts.push_back(b.gradient);
  if (after[at] > 0) parts.push_back(zeros(b.gradient.graph(), after));
  return {parts.size() == 1 ? b.gradient : concat(parts, axis)};
}

Text slice_python(const Expression& e) {
  if (*e.in_shapes[0] == e.node.shape) return e.in[0];
  const std::string range = std::to_string(e.integer(1)) + ":" + std::to_string(e.integer(2));
  if (-e.integer(0) == static_cast<long>(e.node.shape.size())) {
    return {e.in[0].at(Text::atom) + "[" + range + "]"};
  }
  std::string text = e.in[0].at(Text::atom) + "[..., " + range;
  for (long axis = e.integer(0); axis < -1; ++axis) text += ", :";
  return {text + "]"};
}

Text slice_latex(const Expression& e) {
  const std::string range = e.integer(2) == e.integer(1) + 1
                                ? std::to_string(e.integer(1))
                                : std::to_string(e.integer(1)) + ":" + std::to_string(e.integer(2));
  return {lowered(e.in[0], "[" + range + "]")};
}

Text slice_cell(const CellQuery& q) {
  const Shape& in = *q.in_shapes[0];
  const std::size_t axis = axis_index(q.node.attributes[0], in.size());
  std::vector<std::size_t> index = unravel(q.flat, q.node.shape);
  index[axis] += static_cast<std::size_t>(q.node.attributes[1]);
  return q.operand(0, ravel(index, in));
}

Shape concat_shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape shape = in[0];
  const std::size_t axis = axis_index(a[0], shape.size());
  shape[axis] = 0;
  for (const Shape& part : in) {
    Shape rest = part;
    if (rest.size() == shape.size()) rest[axis] = shape[axis];
    if (rest != shape) {
      refuse("shapes " + to_text(in[0]) + " and " + to_text(part) + " cannot be joined");
    }
    shape[axis] += part[axis];
  }
  return shape;
}

void forward_concat(const Forward& f) {
  const std::size_t axis = axis_index(f.node.attributes[0], f.node.shape.size());
  const AxisView whole = view_axis(f.node.shape, axis);
  real* out = f.out;
  for (std::size_t o = 0; o < whole.outer; ++o) {
    for (std::size_t k = 0; k < f.in.size(); ++k) {
      const std::size_t count = (*f.in_shapes[k])[axis] * whole.inner;
      out = std::copy_n(f.in[k] + o * count, count, out);
    }
  }
}

std::vector<Var> concat_vjp(const Backward& b) {
  std::vector<Var> gradients;
  std::size_t start = 0;
  for (const Var& part : b.in) {
    const std::size_t extent = part.extent(b.attributes[0]);
    gradients.push_back(slice(b.gradient, b.attributes[0], start, start + extent));
    start += extent;
  }
  return gradients;
}

Text concat_cell(const CellQuery& q) {
  const std::size_t axis = axis_index(q.node.attributes[0], q.node.shape.size());
  std::vector<std::size_t> index = unravel(q.flat, q.node.shape);
  std::size_t k = 0;
  while (index[axis] >= (*q.in_shapes[k])[axis]) index[axis] -= (*q.in_shapes[k++])[axis];
  return q.operand(k, ravel(index, *q.in_shapes[k]));
}

Text concat_python(const Expression& e) {
  std::vector<Text> parts;
  for (std::size_t k = 0; k < e.in.size(); ++k) parts.push_back(tensor_operand(e, k));
  return {module_of(e) + (e.torch ? ".cat(" : ".concatenate(") + python_call("", parts).text +
          ", axis=" + std::to_string(e.integer(0)) + ")"};
}

// Axes of extent 1 that come or go are written as an index, "x[:, None, :]"; anything else keeps
// its numbers as a shape.
std::string reshape_index(const Shape& from, const Shape& to) {
  std::string index;
  bool inserted = false, removed = false;
  std::size_t i = 0, j = 0;
  while (i < from.size() || j < to.size()) {
    const std::size_t left_from = from.size() - i, left_to = to.size() - j;
    index += index.empty() ? "" : ", ";
    if (i < from.size() && j < to.size() && from[i] == to[j] &&
        (from[i] != 1 || left_from == left_to)) {
      index += ":";
      ++i;
      ++j;
    } else if (j < to.size() && to[j] == 1 && left_to > left_from) {
      index += "None";
      inserted = true;
      ++j;
    } else if (i < from.size() && from[i] == 1 && left_from > left_to) {
      index += "0";
      removed = true;
      ++i;
    } else {
      return "";
    }
  }
  if (inserted && removed) return "";
  std::size_t colons = 0;  // axes at the front that stay
  while (index.compare(3 * colons, 3, ":, ") == 0) ++colons;
  return colons < 2 ? index : "..., " + index.substr(3 * colons);
}

Text reshape_python(const Expression& e) {
  if (*e.in_shapes[0] == e.node.shape) return e.in[0];
  const std::string x = tensor_operand(e, 0).at(Text::atom);
  const std::string index = reshape_index(*e.in_shapes[0], e.node.shape);
  return {index.empty() ? x + ".reshape(" + python_tuple(e.node.attributes.integers) + ")"
                        : x + "[" + index + "]"};
}

// A swap of the last two axes says so; other orders are listed.
Text permute_python(const Expression& e) {
  const std::vector<long>& axes = e.node.attributes.integers;
  std::vector<long> swapped(axes.size());
  std::iota(swapped.begin(), swapped.end(), 0L);
  if (axes.size() >= 2) std::swap(swapped[axes.size() - 1], swapped[axes.size() - 2]);
  const std::string x = tensor_operand(e, 0).at(Text::atom);
  if (axes.size() >= 2 && axes == swapped) return {x + ".swapaxes(-1, -2)"};
  return {x + (e.torch ? ".permute(" : ".transpose(") + python_tuple(axes) + ")"};
}

}  // namespace

namespace primitives {
const Primitive reshape{"reshape",
                        reshape_shape,
                        copy_all,
                        [](const Backward& b) -> std::vector<Var> {
                          return {attend::reshape(b.gradient, b.in[0].shape())};
                        },
                        unchanged,
                        reshape_python,
                        [](const CellQuery& q) { return q.operand(0, q.flat); },
                        {{{{3, 4}}, {{2, 6}}}, {{{4}}, {{1, 4, 1}}}}};

const Primitive permute{
    "permute",
    permute_shape,
    forward_permute,
    [](const Backward& b) -> std::vector<Var> {
      std::vector<long> back(b.attributes.integers.size());
      for (std::size_t i = 0; i < back.size(); ++i)
        back[static_cast<std::size_t>(b.attributes[i])] = static_cast<long>(i);
      return {attend::permute(b.gradient, back)};
    },
    [](const Expression& e) { return Text{raised(e.in[0], "\\top")}; },
    permute_python,
    [](const CellQuery& q) { return q.operand(0, permuted(q.flat, strides_of(*q.in_shapes[0]), q.node)); },
    {{{{3, 4}}, {{1, 0}}}, {{{2, 3, 4}}, {{2, 0, 1}}}}};

const Primitive broadcast_to{
    "broadcast_to",
    broadcast_to_shape,
    forward_broadcast,
    [](const Backward& b) -> std::vector<Var> { return {sum_to(b.gradient, b.in[0].shape())}; },
    unchanged,
    [](const Expression& e) {
      return Text{module_of(e) + ".broadcast_to(" + tensor_operand(e, 0).text + ", " +
                  python_tuple(e.node.attributes.integers) + ")"};
    },
    [](const CellQuery& q) {
      return q.operand(0, broadcast_position(q.flat, *q.in_shapes[0], q.node.shape));
    },
    {{{{3, 1}}, {{2, 3, 4}}}, {{{4}}, {{3, 4}}}}};

const Primitive slice{
    "slice",
    slice_shape,
    forward_slice,
    slice_vjp,
    slice_latex,
    slice_python,
    slice_cell,
    {{{{3, 4}}, {{-1, 1, 3}}}, {{{2, 5, 3}}, {{-2, 0, 4}}}, {{{3, 4}}, {{-2, 0, 3}}}}};

const Primitive concat{
    "concat",
    concat_shape,
    forward_concat,
    concat_vjp,
    [](const Expression& e) {
      return Text{"\\left[" + joined(e.in, ";\\,", Text::atom).text + "\\right]"};
    },
    concat_python,
    concat_cell,
    {{{{3, 2}, {3, 4}}, {{-1}}}, {{{2, 3, 2}, {2, 1, 2}, {2, 2, 2}}, {{-2}}}}};
}  // namespace primitives

Var reshape(Var x, const Shape& shape) {
  return x.graph().record(primitives::reshape, {x}, to_attributes(shape));
}
Var permute(Var x, std::vector<long> axes) {
  return x.graph().record(primitives::permute, {x}, {std::move(axes), 0});
}
Var broadcast_to(Var x, const Shape& shape) {
  return x.shape() == shape ? x
                            : x.graph().record(primitives::broadcast_to, {x}, to_attributes(shape));
}
Var slice(Var x, long axis, std::size_t start, std::size_t stop) {
  const long from = from_end(axis_index(axis, x.rank()), x.rank());
  return x.graph().record(primitives::slice, {x},
                          {{from, static_cast<long>(start), static_cast<long>(stop)}, 0});
}
Var concat(const std::vector<Var>& parts, long axis) {
  if (parts.size() == 1) return parts[0];
  const long from = from_end(axis_index(axis, parts[0].rank()), parts[0].rank());
  return parts[0].graph().record(primitives::concat, parts, {{from}, 0});
}

}  // namespace attend
