// SPDX-License-Identifier: Apache-2.0
// The inverse of a square matrix.
#include "kernels/linear_algebra.h"
#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/module_places.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::inverse_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  const Shape& s = in[0];
  if (s.size() < 2 || s[s.size() - 1] != s[s.size() - 2]) {
    refuse("only a square matrix has an inverse, not one of shape " + to_text(s));
  }
  return s;
}

void forward(const Forward& f) {
  const std::size_t n = f.node.shape.back();
  const std::size_t count = n == 0 ? 0 : element_count(f.node.shape) / (n * n);
  for (std::size_t i = 0; i < count; ++i) {
    if (!kernels::inverse(f.in[0] + i * n * n, f.out + i * n * n, n)) {
      refuse_numbers(
          f.node,
          "a matrix that has to be inverted is singular: one of its rows is a combination of the others");
    }
  }
}

std::vector<Var> vjp(const Backward& b) {
  return {-matmul(matmul(b.out, b.gradient, true, false), b.out, false, true)};
}

Text latex(const Expression& e) { return {raised(e.in[0], "-1")}; }

Text python(const Expression& e) { return python_call(module_of(e) + ".linalg.inv", e.in); }

Text cell(const CellQuery& q) {
  const std::size_t n = q.node.shape.back();
  const std::size_t start = q.flat / (n * n) * n * n;
  for (std::size_t i = 0; i < n * n; ++i) q.operand(0, start + i);  // all of them count
  return {"\\left(X^{-1}\\right)_{" + std::to_string(q.flat / n % n) + "," +
          std::to_string(q.flat % n) + "}"};
}

// Elimination with pivots: n^3 / 3 comparisons, n^3 / 3 steps to triangles, n^3 back; the rest is
// of lower order.
Cost cost_rule(const Sizes& s) {
  const std::uint64_t n = s.node.shape.back();
  Cost cost = cost::moved(s);
  cost.multiply_adds = 2 * cost::cells(s.node.shape) * (n + 1);
  cost.exact = false;
  return cost;
}

}  // namespace

const Primitive record{.name = "inverse",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 3}}}, {{{2, 2, 2}}}},
                       .noun = "inverted",
                       .batch = batch::by_operands,
                       .cost = cost_rule};

}  // namespace attend::inverse_primitive
