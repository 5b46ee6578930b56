// SPDX-License-Identifier: Apache-2.0
// For each row the product of the rows before it, or of those behind it: [.. B p] -> [.. B p]. Attributes: whether it
// runs back.
#include "ops/batch_rules.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/decays.h"
#include "ops/error.h"
#include "ops/primitives/matrices.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::running_product_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  if (in[0].size() < 2)
    refuse("a running product goes over rows, not over a tensor of shape " + to_text(in[0]));
  return in[0];
}

void forward(const Forward& f) {
  const Shape& s = f.node.shape;
  const std::size_t rows = s.end()[-2], width = s.back();
  const bool back = f.node.attributes[0] != 0;
  for (std::size_t r = 0; r < matrices::count_of(s); ++r) {
    const real* const x = f.in[0] + r * rows * width;
    real* const out = f.out + r * rows * width;
    for (std::size_t k = 0; k < rows; ++k) {
      const std::size_t i = back ? rows - 1 - k : k, before = back ? i + 1 : i - 1;
      for (std::size_t c = 0; c < width; ++c)
        out[i * width + c] = k == 0 ? real(1) : out[before * width + c] * x[before * width + c];
    }
  }
}

// A factor of all later products: what was before it, times the later slopes with the factors in between.
std::vector<Var> vjp(const Backward& b) {
  const Var x = b.in[0];
  Shape pairs = x.shape();
  pairs.back() = x.extent(-2);
  return {b.out * decayed_sums(ones(x.graph(), pairs), b.gradient, x, b.attributes[0] == 0)};
}

Text latex(const Expression& e) { return latex_call("\\operatorname{running\\_product}", e.in); }

Text python(const Expression& e) {
  std::vector<Text> in = e.in;
  if (e.integer(0) != 0) in.push_back({"back=True"});
  return python_call("running_product", in);
}

Text cell(const CellQuery& q) {
  const bool back = q.node.attributes[0] != 0;
  const std::size_t p = q.node.shape.back(), rows = q.node.shape.end()[-2];
  const std::size_t row = q.flat / p % rows, first = q.flat - row * p;
  std::vector<Text> factors;
  for (std::size_t t = back ? row + 1 : 0; t < (back ? rows : row); ++t)
    factors.push_back({as_factor(q.operand(0, first + t * p)), Text::product});
  return factors.empty() ? number_text(1) : joined(factors, " \\cdot ", Text::product);
}

}  // namespace

const Primitive record{.name = "running_product",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{5, 3}}, {{0}, 0}}, {{{2, 4, 2}}, {{1}, 0}}},
                       .smooth = false,
                       .batch = batch::by_operands,
                       .cost = cost::by_cell<1>};

}  // namespace attend::running_product_primitive

namespace attend {

Var running_product(Var x, bool back) {
  return attend::apply(primitives::running_product, {x}, {{back ? 1L : 0L}, 0});
}

}  // namespace attend
