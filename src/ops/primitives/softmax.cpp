// SPDX-License-Identifier: Apache-2.0
// Softmax of rows, with or without a mask. One primitive, so that the row maximum and fully masked
// rows are handled in one place.
#include <algorithm>

#include "kernels/rows.h"
#include "kernels/scratch.h"
#include "ops/batch_rules.h"
#include "ops/broadcast_loop.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::softmax_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  if (in[0].empty() || in[0].back() == 0) refuse("softmax needs at least one entry per row");
  if (in.size() == 2 && broadcast_shapes(in[0], in[1]) != in[0]) {
    refuse("a mask of shape " + to_text(in[1]) + " does not fit scores of shape " + to_text(in[0]));
  }
  return in[0];
}

void forward(const Forward& f) {
  const Shape& shape = *f.in_shapes[0];
  const std::size_t cols = shape.back();
  const std::size_t rows = element_count(shape) / cols;
  if (f.in.size() == 1) return kernels::softmax_rows(f.in[0], nullptr, 0, f.out, rows, cols);
  const Shape& mask = *f.in_shapes[1];
  const bool row_wide = !mask.empty() && mask.back() == cols;
  kernels::Scratch<real> spread(row_wide ? 0 : cols);
  // Rows whose masks lie behind each other, or are one, go together.
  const bool together = row_wide && shape.size() >= 2;
  const bool one = mask.size() < 2 || mask.end()[-2] == 1;
  const std::size_t block = together ? shape.end()[-2] : 1, stride = one ? 0 : cols;
  for (std::size_t r = 0; r < rows; r += block) {
    const real* entry = f.in[1] + broadcast_position(r * cols, mask, shape);
    if (!row_wide) {
      std::fill_n(spread.data(), cols, *entry);
      entry = spread.data();
    }
    kernels::softmax_rows(f.in[0] + r * cols, entry, stride, f.out + r * cols, block, cols);
  }
}

std::vector<Var> vjp(const Backward& b) {
  const Var weighted = b.gradient * b.out;
  std::vector<Var> gradients{weighted - b.out * sum(weighted, -1, true)};
  if (b.in.size() == 2) gradients.emplace_back();
  return gradients;
}

Text latex(const Expression& e) {
  return latex_call(e.in.size() == 2 ? "\\operatorname{softmax}_{" + e.in[1].text + "}"
                                     : "\\operatorname{softmax}",
                    {e.in[0]});
}

Text python(const Expression& e) {
  std::vector<Text> arguments{tensor_operand(e, 0)};
  if (e.in.size() == 2) arguments.push_back(tensor_operand(e, 1));
  return python_call("softmax", arguments);
}

// e^{chosen} over the sum of the row's terms, masked entries left out.
Text cell(const CellQuery& q) {
  const std::size_t cols = q.in_shapes[0]->back();
  const std::size_t start = q.flat / cols * cols;
  std::vector<Text> below;
  Text above{"0"};
  for (std::size_t j = start; j < start + cols; ++j) {
    const bool allowed = q.in_shapes.size() == 1 ||
                         q.value(1, broadcast_position(j, *q.in_shapes[1], *q.in_shapes[0])) != 0;
    if (!allowed) continue;
    below.push_back({"e^{" + q.operand(0, j).text + "}"});
    if (j == q.flat) above = below.back();
  }
  if (below.empty() || above.text == "0") return {"0"};
  return {"\\frac{" + above.text + "}{" + joined(below, " + ", Text::sum).text + "}"};
}

}  // namespace

const Primitive record{.name = "softmax",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 4}}},
                                   {{{2, 3, 4}}},
                                   {{{2, 3, 4}, {3, 4}}, {}, -2, 2, false, 1},
                                   {{{3, 4}, {4}}, {}, -2, 2, false, 1},
                                   {{{3, 4}, {3, 1}}, {}, -2, 2, false, 1}},
                       .noun = "probabilities",
                       .keeps_rows = true,
                       .batch = batch::by_first,
                       .cost = cost::by_cell<4, 1>};

}  // namespace attend::softmax_primitive

namespace attend {

Var softmax(Var x) { return x.graph().record(primitives::softmax, {x}, {}); }
Var softmax(Var x, Var mask) {
  return mask ? x.graph().record(primitives::softmax, {x, mask}, {}) : softmax(x);
}

}  // namespace attend
