// SPDX-License-Identifier: Apache-2.0
// Equations with a symmetric matrix: a [.. n n], b [.. r n] -> x [.. r n] with x A = b, A what is on and below the
// diagonal of a, and the same above it.
#include "kernels/linear_algebra.h"
#include "ops/batch_rules.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/module_places.h"
#include "ops/primitives.h"
#include "ops/primitives/matrices.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::solve_symmetric_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  matrices::need_same_leading(in, "equations");
  if (in[0].back() != in[0].end()[-2] || in[0].back() != in[1].back())
    refuse("a symmetric matrix of " + to_text(in[0]) + " does not fit the rows " + to_text(in[1]));
  return in[1];
}

void forward(const Forward& f) {
  const std::size_t rows = f.node.shape.end()[-2], n = f.node.shape.back();
  if (!kernels::solve_symmetric(f.in[0], f.in[1], f.out, matrices::count_of(f.node.shape), n, rows))
    refuse_numbers(
        f.node,
        "a matrix of equations is singular: one of its rows is a combination of the others");
}

// x = b A^-1 has the slopes s = slope A^-1 by b and -x^T s by A, in which each number below the diagonal occurs twice.
std::vector<Var> vjp(const Backward& b) {
  const Var a = b.in[0], slope = solve_symmetric(a, b.gradient);
  const Var by_all = matmul(b.out, slope, true, false);
  const std::size_t n = a.extent(-1);
  const Var rows = iota(a.graph(), n, 2), columns = iota(a.graph(), n);
  const Var twice = (by_all + transpose(by_all)) * greater(rows, columns);
  return {-(twice + by_all * equal(rows, columns)), slope};
}

Text latex(const Expression& e) { return {e.in[1].text + raised(e.in[0], "-1")}; }

Text python(const Expression& e) { return python_call("solve_symmetric", e.in); }

// The right side, and the matrix of which all counts.
Text cell(const CellQuery& q) {
  const std::size_t n = q.node.shape.back(), rows = q.node.shape.end()[-2];
  const std::size_t row = q.flat / n, block = row / rows;
  for (std::size_t i = 0; i < n * n; ++i) q.operand(0, block * n * n + i);
  for (std::size_t i = 0; i < n; ++i) q.operand(1, row * n + i);
  return {"\\left(B A^{-1}\\right)_{" + std::to_string(row % rows) + "," +
          std::to_string(q.flat % n) + "}"};
}

// A triangular factor, n^3 / 6, and twice half a square for each row.
Cost cost_rule(const Sizes& s) {
  const std::uint64_t n = s.node.shape.back(), rows = s.node.shape.end()[-2];
  Cost cost = cost::moved(s);
  const std::uint64_t count = matrices::count_of(s.node.shape);
  cost.multiply_adds = count * (n * (n + 1) * (n + 2) / 6 + rows * n * (n + 1));
  cost.exact = false;
  return cost;
}

}  // namespace

const Primitive record{.name = "solve_symmetric",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 3}, {2, 3}}}, {{{2, 2, 2}, {2, 1, 2}}}},
                       .noun = "solved",
                       .batch = batch::by_operands,
                       .cost = cost_rule};

}  // namespace attend::solve_symmetric_primitive

namespace attend {

Var solve_symmetric(Var a, Var b) {
  return attend::apply(primitives::solve_symmetric, matrices::with_same_leading({a, b}), {});
}

}  // namespace attend
