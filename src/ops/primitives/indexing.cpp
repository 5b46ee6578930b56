// SPDX-License-Identifier: Apache-2.0
// Picking along the last axis by an index, its transpose, and the stable descending order.
#include <algorithm>

#include "kernels/rows.h"
#include "ops/broadcast_loop.h"
#include "ops/compose.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

Shape leading(const Shape& shape) { return {shape.begin(), shape.end() - 1}; }

// Both operands are made to share their leading extents before they are recorded.
void need_same_leading(const std::vector<Shape>& in) {
  if (in[0].empty() || in[1].empty() || leading(in[0]) != leading(in[1])) {
    refuse("an index of shape " + to_text(in[1]) + " does not fit a tensor of shape " +
           to_text(in[0]));
  }
}

std::size_t checked(real index, std::size_t size) {
  if (!(index >= 0) || index >= static_cast<real>(size)) {
    refuse("index " + number_exact(index) + " is outside 0 to " + std::to_string(size - 1) +
           "; an index that is computed goes wrong when numbers on the way become too large");
  }
  return static_cast<std::size_t>(index);
}

Shape take_shape(const std::vector<Shape>& in, const Attributes&) {
  need_same_leading(in);
  return in[1];
}

void forward_take(const Forward& f) {
  const std::size_t size = f.in_shapes[0]->back(), count = f.node.shape.back();
  const std::size_t rows = count == 0 ? 0 : element_count(f.node.shape) / count;
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < count; ++i) {
      f.out[r * count + i] = f.in[0][r * size + checked(f.in[1][r * count + i], size)];
    }
  }
}

Shape put_shape(const std::vector<Shape>& in, const Attributes& a) {
  need_same_leading(in);
  Shape shape = in[0];
  shape.back() = static_cast<std::size_t>(a[0]);
  return shape;
}

void forward_put(const Forward& f) {
  const std::size_t count = f.in_shapes[0]->back(), size = f.node.shape.back();
  const std::size_t rows = size == 0 ? 0 : element_count(f.node.shape) / size;
  std::fill_n(f.out, rows * size, real{0});
  for (std::size_t r = 0; r < rows; ++r) {
    for (std::size_t i = 0; i < count; ++i) {
      f.out[r * size + checked(f.in[1][r * count + i], size)] += f.in[0][r * count + i];
    }
  }
}

Text put_cell(const CellQuery& q) {
  const std::size_t count = q.in_shapes[0]->back(), size = q.node.shape.back();
  const std::size_t r = q.flat / size;
  std::vector<Text> terms;
  for (std::size_t i = 0; i < count; ++i) {
    if (static_cast<std::size_t>(q.value(1, r * count + i)) == q.flat % size)
      terms.push_back(q.operand(0, r * count + i));
  }
  return joined(terms, " + ", Text::sum);
}

Text indexed(const Expression& e) { return {lowered(e.in[0], "[" + e.in[1].text + "]")}; }

}  // namespace

namespace primitives {
const Primitive take{
    "take",
    take_shape,
    forward_take,
    [](const Backward& b) -> std::vector<Var> {
      return {attend::put(b.gradient, b.in[1], b.in[0].extent(-1)), Var{}};
    },
    indexed,
    [](const Expression& e) {
      return python_call("take", {tensor_operand(e, 0), tensor_operand(e, 1)});
    },
    [](const CellQuery& q) {
      const std::size_t count = q.node.shape.back(), size = q.in_shapes[0]->back();
      return q.operand(0, q.flat / count * size + static_cast<std::size_t>(q.value(1, q.flat)));
    },
    {{{{3, 4}, {3, 6}}, {}, 0, 3, true}, {{{2, 3, 4}, {2, 3, 2}}, {}, 0, 3, true}}};

const Primitive put{
    "put",
    put_shape,
    forward_put,
    [](const Backward& b) -> std::vector<Var> {
      return {attend::take(b.gradient, b.in[1]), Var{}};
    },
    [](const Expression& e) {
      return Text{"\\sum_{" + e.in[1].text + "} " + e.in[0].at(Text::product), Text::product};
    },
    [](const Expression& e) {
      return python_call(
          "put", {tensor_operand(e, 0), tensor_operand(e, 1), {std::to_string(e.integer(0))}});
    },
    put_cell,
    {{{{3, 6}, {3, 6}}, {{4}}, 0, 3, true}}};

const Primitive argsort{
    "argsort",
    [](const std::vector<Shape>& in, const Attributes&) { return in[0]; },
    [](const Forward& f) {
      const std::size_t cols = f.node.shape.back();
      if (cols > 0) kernels::argsort_rows(f.in[0], f.out, element_count(f.node.shape) / cols, cols);
    },
    nullptr,
    [](const Expression& e) { return latex_call("\\operatorname{argsort}", e.in); },
    [](const Expression& e) { return python_call("argsort_descending", e.in); },
    [](const CellQuery& q) {
      const std::size_t cols = q.node.shape.back();
      std::vector<Text> line;
      for (std::size_t j = 0; j < cols; ++j) line.push_back(q.operand(0, q.flat / cols * cols + j));
      return latex_call("\\operatorname{argsort}", {joined(line, ",\\,", Text::atom)});
    },
    {{{{3, 5}}}},
    false};
}  // namespace primitives

namespace {
Var spread(Var x, const Shape& batch) {
  Shape shape = batch;
  shape.push_back(x.shape().back());
  return broadcast_to(x, shape);
}
}  // namespace

Var take(Var x, Var index) {
  const Shape batch = broadcast_shapes(leading(x.shape()), leading(index.shape()));
  return x.graph().record(primitives::take, {spread(x, batch), spread(index, batch)}, {});
}

Var put(Var x, Var index, std::size_t size) {
  const Shape batch = broadcast_shapes(leading(x.shape()), leading(index.shape()));
  return x.graph().record(primitives::put, {spread(x, batch), spread(index, batch)},
                          {{static_cast<long>(size)}, 0});
}

Var argsort(Var x) { return x.graph().record(primitives::argsort, {x}, {}); }

}  // namespace attend
