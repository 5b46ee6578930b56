// SPDX-License-Identifier: Apache-2.0
// The places of a row in the order of descending value, stable. No gradient.
#include <bit>

#include "kernels/rows.h"
#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::argsort_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) { return in[0]; }

void forward(const Forward& f) {
  const std::size_t cols = f.node.shape.back();
  if (cols > 0) kernels::argsort_rows(f.in[0], f.out, element_count(f.node.shape) / cols, cols);
}

Text latex(const Expression& e) { return latex_call("\\operatorname{argsort}", e.in); }

Text python(const Expression& e) { return python_call("argsort_descending", e.in); }

Text cell(const CellQuery& q) {
  const std::size_t cols = q.node.shape.back();
  std::vector<Text> line;
  for (std::size_t j = 0; j < cols; ++j) line.push_back(q.operand(0, q.flat / cols * cols + j));
  return latex_call("\\operatorname{argsort}", {joined(line, ",\\,", Text::atom)});
}

// What a heap needs: at most 3 n comparisons to make it, 2 n log2 n to take it apart.
Cost cost_rule(const Sizes& s) {
  const std::size_t cols = s.node.shape.empty() ? 0 : s.node.shape.back();
  Cost cost = cost::moved(s);
  cost.multiply_adds = cost::cells(s.node.shape) * (3 + 2 * std::bit_width(cols));
  cost.exact = false;
  return cost;
}

}  // namespace

const Primitive record{.name = "argsort",
                       .shape = shape,
                       .forward = forward,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 5}}}},
                       .smooth = false,
                       .noun = "order",
                       .batch = batch::by_operands,
                       .cost = cost_rule};

}  // namespace attend::argsort_primitive
