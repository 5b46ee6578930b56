// SPDX-License-Identifier: Apache-2.0
// Equations with a lower triangle: a [.. B B], b [.. B c] -> the solution of (1 + A) x = b, A what is below the
// diagonal of a. Attributes: whether of 1 + A^T.
#include "kernels/decays.h"
#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/decays.h"
#include "ops/error.h"
#include "ops/primitives/matrices.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::solve_triangle_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  matrices::need_same_leading(in, "equations");
  if (in[0].back() != in[0].end()[-2] || in[0].back() != in[1].end()[-2])
    refuse("a triangle of " + to_text(in[0]) + " does not fit the right-hand sides " +
           to_text(in[1]));
  return in[1];
}

void forward(const Forward& f) {
  const std::size_t rows = f.node.shape.end()[-2], width = f.node.shape.back();
  for (std::size_t r = 0; r < matrices::count_of(f.node.shape); ++r)
    kernels::solve_triangle(f.in[0] + r * rows * rows, f.in[1] + r * rows * width,
                            f.out + r * rows * width, rows, width, f.node.attributes[0] != 0);
}

std::vector<Var> vjp(const Backward& b) {
  const bool transposed = b.attributes[0] != 0;
  const Var a = b.in[0], slope = solve_triangle(a, b.gradient, !transposed);
  const std::size_t rows = a.extent(-1);
  const Var below = greater(iota(a.graph(), rows, 2), iota(a.graph(), rows));
  const Var all =
      transposed ? matmul(b.out, slope, false, true) : matmul(slope, b.out, false, true);
  return {-(all * below), slope};
}

Text latex(const Expression& e) { return latex_call("\\operatorname{solve\\_triangle}", e.in); }

Text python(const Expression& e) {
  std::vector<Text> in = e.in;
  if (e.integer(0) != 0) in.push_back({"transposed=True"});
  return python_call("solve_triangle", in);
}

// The right side, and in the other solutions of its column all that is behind.
Text cell(const CellQuery& q) {
  const std::size_t width = q.node.shape.back(), rows = q.node.shape.end()[-2];
  const std::size_t block = q.flat / (width * rows);
  for (std::size_t k = 0; k < rows * rows; ++k)
    q.operand(0, block * rows * rows + k);  // all of them count
  const std::string at =
      std::to_string(q.flat / width % rows) + "," + std::to_string(q.flat % width);
  std::vector<Text> sides;
  for (std::size_t i = 0; i < rows; ++i)
    sides.push_back(q.operand(1, (block * rows + i) * width + q.flat % width));
  return {"\\left((1 + A)^{-1} B\\right)_{" + at + "}"};
}

Cost cost_rule(const Sizes& s) {
  const std::uint64_t rows = s.node.shape.end()[-2];
  Cost cost = cost::moved(s);
  cost.multiply_adds = cost::cells(s.node.shape) * (rows + 1) / 2;
  cost.exact = false;
  return cost;
}

}  // namespace

const Primitive record{.name = "solve_triangle",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{5, 5}, {5, 3}}, {{0}, 0}, -1, 1},
                                   {{{2, 11, 11}, {2, 11, 2}}, {{0}, 0}, -0.5, 0.5},
                                   {{{5, 5}, {5, 3}}, {{1}, 0}, -1, 1}},
                       .noun = "solved",
                       .batch = batch::by_operands,
                       .cost = cost_rule};

}  // namespace attend::solve_triangle_primitive

namespace attend {

Var solve_triangle(Var a, Var b, bool transposed) {
  return attend::apply(primitives::solve_triangle, matrices::with_same_leading({a, b}),
                       {{transposed ? 1L : 0L}, 0});
}

}  // namespace attend
