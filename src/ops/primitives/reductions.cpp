// SPDX-License-Identifier: Apache-2.0
// Reductions over one axis. Attributes: axis (counted from the end, negative), keep (0 or 1).
#include "kernels/rows.h"
#include "kernels/scratch.h"
#include "ops/compose.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

std::size_t axis_of(const Shape& in, const Attributes& a) { return axis_index(a[0], in.size()); }

Shape reduced_shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape shape = in[0];
  const std::size_t axis = axis_of(shape, a);
  if (shape[axis] == 0) refuse("nothing to reduce: the axis is empty");
  if (a[1] != 0) {
    shape[axis] = 1;
  } else {
    shape.erase(shape.begin() + static_cast<long>(axis));
  }
  return shape;
}

// Rows are contiguous when the axis is the last; otherwise the cells of an axis are gathered first.
template <class Rows>
void reduce(const Forward& f, Rows rows) {
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

void forward_sum(const Forward& f) {
  const AxisView v = view_axis(*f.in_shapes[0], axis_of(*f.in_shapes[0], f.node.attributes));
  if (v.inner == 1) return kernels::sum_rows(f.in[0], f.out, v.outer, v.length);
  for (std::size_t o = 0; o < v.outer; ++o) {
    kernels::sum_columns(f.in[0] + o * v.length * v.inner, f.out + o * v.inner, v.length, v.inner);
  }
}

void forward_cumsum(const Forward& f) {
  const Shape& shape = *f.in_shapes[0];
  const AxisView v = view_axis(shape, axis_of(shape, f.node.attributes));
  const bool reverse = f.node.attributes[1] != 0;
  if (v.inner == 1) return kernels::cumsum_rows(f.in[0], f.out, v.outer, v.length, reverse);
  for (std::size_t o = 0; o < v.outer; ++o) {
    for (std::size_t step = 0; step < v.length; ++step) {
      const std::size_t k = reverse ? v.length - 1 - step : step;
      const std::size_t at = (o * v.length + k) * v.inner;
      const std::size_t before = reverse ? at + v.inner : at - v.inner;
      for (std::size_t i = 0; i < v.inner; ++i) {
        f.out[at + i] = f.in[0][at + i] + (step == 0 ? 0 : f.out[before + i]);
      }
    }
  }
}

// The gradient of a reduction, with the axis back in place.
Var restored(const Backward& b) {
  return b.attributes[1] != 0
             ? b.gradient
             : expand(b.gradient, static_cast<long>(axis_index(b.attributes[0], b.in[0].rank())));
}

// Cells of the operand that one cell of a reduction reads, in order.
std::vector<std::size_t> line_of(const CellQuery& q) {
  const Shape& shape = *q.in_shapes[0];
  const AxisView v = view_axis(shape, axis_of(shape, q.node.attributes));
  const std::size_t start = q.flat / v.inner * v.length * v.inner + q.flat % v.inner;
  std::vector<std::size_t> cells(v.length);
  for (std::size_t k = 0; k < v.length; ++k) cells[k] = start + k * v.inner;
  return cells;
}

std::vector<Text> terms(const CellQuery& q, const std::vector<std::size_t>& cells) {
  std::vector<Text> list;
  for (const std::size_t cell : cells) list.push_back(q.operand(0, cell));
  return list;
}

Text cell_cumsum(const CellQuery& q) {
  const Shape& shape = *q.in_shapes[0];
  const AxisView v = view_axis(shape, axis_of(shape, q.node.attributes));
  const std::size_t k = q.flat / v.inner % v.length;
  const std::size_t start = q.flat - k * v.inner;
  std::vector<std::size_t> cells;
  const bool reverse = q.node.attributes[1] != 0;
  for (std::size_t i = reverse ? k : 0; i < (reverse ? v.length : k + 1); ++i) {
    cells.push_back(start + i * v.inner);
  }
  return joined(terms(q, cells), " + ", Text::sum);
}

std::string python_axis(const Expression& e, const char* keep) {
  return "axis=" + std::to_string(e.integer(0)) +
         (e.integer(1) != 0 ? std::string(", ") + keep + "=True" : "");
}

constexpr List<Sample> samples{{{{3, 4}}, {{-1, 0}}},
                               {{{3, 4}}, {{-1, 1}}},
                               {{{2, 3, 4}}, {{-2, 0}}},
                               {{{2, 3, 4}}, {{-3, 1}}}};

Var record(const Primitive& primitive, Var x, long axis, bool flag) {
  const std::size_t at = axis_index(axis, x.rank());
  return x.graph().record(primitive, {x}, {{from_end(at, x.rank()), flag ? 1L : 0L}});
}

}  // namespace

namespace primitives {
const Primitive sum{
    "sum",
    reduced_shape,
    forward_sum,
    [](const Backward& b) -> std::vector<Var> {
      return {attend::broadcast_to(restored(b), b.in[0].shape())};
    },
    [](const Expression& e) {
      return Text{"\\sum " + e.in[0].at(Text::product), Text::product};
    },
    [](const Expression& e) {
      return Text{tensor_operand(e, 0).at(Text::atom) + ".sum(" +
                  python_axis(e, e.torch ? "keepdim" : "keepdims") + ")"};
    },
    [](const CellQuery& q) { return joined(terms(q, line_of(q)), " + ", Text::sum); },
    samples};

const Primitive max{
    "max",
    reduced_shape,
    [](const Forward& f) { reduce(f, kernels::max_rows); },
    [](const Backward& b) -> std::vector<Var> {
      const long axis = b.attributes[0];
      const Var winner = attend::argmax(b.in[0], axis, true);
      const Var place = attend::iota(winner.graph(), b.in[0].extent(axis), -axis);
      return {restored(b) * attend::equal(winner, place)};
    },
    [](const Expression& e) {
      return Text{"\\max " + e.in[0].at(Text::atom), Text::product};
    },
    [](const Expression& e) {
      return Text{e.torch ? "torch.amax(" + e.in[0].text + ", " + python_axis(e, "keepdim") + ")"
                          : e.in[0].at(Text::atom) + ".max(" + python_axis(e, "keepdims") + ")"};
    },
    [](const CellQuery& q) {
      return latex_call("\\max", {joined(terms(q, line_of(q)), ",\\,", Text::atom)});
    },
    samples,
    false};

const Primitive argmax{
    "argmax",
    reduced_shape,
    [](const Forward& f) { reduce(f, kernels::argmax_rows); },
    nullptr,
    [](const Expression& e) {
      return Text{"\\operatorname{argmax} " + e.in[0].at(Text::atom), Text::product};
    },
    [](const Expression& e) {
      return Text{"real(" + e.in[0].at(Text::atom) + ".argmax(" +
                  python_axis(e, e.torch ? "keepdim" : "keepdims") + "))"};
    },
    [](const CellQuery& q) {
      return latex_call("\\operatorname{argmax}",
                        {joined(terms(q, line_of(q)), ",\\,", Text::atom)});
    },
    samples,
    false};

const Primitive cumsum{
    "cumsum",
    [](const std::vector<Shape>& in, const Attributes&) { return in[0]; },
    forward_cumsum,
    [](const Backward& b) -> std::vector<Var> {
      return {attend::cumsum(b.gradient, b.attributes[0], b.attributes[1] == 0)};
    },
    [](const Expression& e) { return latex_call("\\operatorname{cumsum}", e.in); },
    [](const Expression& e) {
      const std::string axis = std::to_string(e.integer(0));
      const std::string x = e.in[0].at(Text::atom);
      if (e.integer(1) == 0) return Text{x + ".cumsum(" + axis + ")"};
      const std::string flip = module_of(e) + ".flip(";
      const std::string dims = e.torch ? "[" + axis + "])" : axis + ")";
      return Text{flip + flip + e.in[0].text + ", " + dims + ".cumsum(" + axis + "), " + dims};
    },
    cell_cumsum,
    samples};
}  // namespace primitives

Var sum(Var x, long axis, bool keep) { return record(primitives::sum, x, axis, keep); }
Var max(Var x, long axis, bool keep) { return record(primitives::max, x, axis, keep); }
Var argmax(Var x, long axis, bool keep) { return record(primitives::argmax, x, axis, keep); }
Var cumsum(Var x, long axis, bool reverse) { return record(primitives::cumsum, x, axis, reverse); }

}  // namespace attend
