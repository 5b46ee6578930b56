// SPDX-License-Identifier: Apache-2.0
// The sums up to each place of one axis. Attributes: the axis counted from the end (negative),
// whether they run from the end.
#include "kernels/rows.h"
#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/primitives/reduction.h"
#include "ops/text.h"

namespace attend::cumsum_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) { return in[0]; }

void forward(const Forward& f) {
  const AxisView v = reduction::view_of(f);
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

std::vector<Var> vjp(const Backward& b) {
  return {cumsum(b.gradient, b.attributes[0], b.attributes[1] == 0)};
}

Text latex(const Expression& e) { return latex_call("\\operatorname{cumsum}", e.in); }

Text python(const Expression& e) {
  const std::string axis = std::to_string(e.integer(0));
  const std::string x = e.in[0].at(Text::atom);
  if (e.integer(1) == 0) return {x + ".cumsum(" + axis + ")"};
  const std::string flip = module_of(e) + ".flip(";
  const std::string dims = e.torch ? "[" + axis + "])" : axis + ")";
  return {flip + flip + e.in[0].text + ", " + dims + ".cumsum(" + axis + "), " + dims};
}

Text cell(const CellQuery& q) {
  const AxisView v =
      view_axis(*q.in_shapes[0], reduction::axis_of(*q.in_shapes[0], q.node.attributes));
  const std::size_t k = q.flat / v.inner % v.length;
  const std::size_t start = q.flat - k * v.inner;
  std::vector<std::size_t> cells;
  const bool reverse = q.node.attributes[1] != 0;
  for (std::size_t i = reverse ? k : 0; i < (reverse ? v.length : k + 1); ++i) {
    cells.push_back(start + i * v.inner);
  }
  return joined(reduction::terms(q, cells), " + ", Text::sum);
}

}  // namespace

const Primitive record{.name = "cumsum",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = reduction::samples,
                       .batch = batch::by_operands,
                       .cost = cost::by_operand};

}  // namespace attend::cumsum_primitive
