// SPDX-License-Identifier: Apache-2.0
// Sinusoids of positions, of a new last axis: sin and cos in turn. Attributes: width and base.
// Positions are indices: their gradient is left out on purpose.
#include <cmath>

#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

double angle_frequency(std::size_t channel, std::size_t width, double base) {
  const double pair = static_cast<double>(channel / 2 * 2);
  return std::pow(base, -pair / static_cast<double>(width));
}

Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape waves = in[0];
  waves.push_back(static_cast<std::size_t>(a[0]));
  return waves;
}

void forward(const Forward& f) {
  const std::size_t width = f.node.shape.back();
  const std::size_t count = element_count(*f.in_shapes[0]);
  for (std::size_t c = 0; c < width; ++c) {
    const double frequency = angle_frequency(c, width, f.node.attributes.number);
    for (std::size_t p = 0; p < count; ++p) {
      const double angle = static_cast<double>(f.in[0][p]) * frequency;
      f.out[p * width + c] = static_cast<real>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
}

Text latex(const Expression& e) { return latex_call("\\operatorname{PE}", e.in); }

Text python(const Expression& e) {
  return python_call("sinusoid", {tensor_operand(e, 0),
                                  {std::to_string(e.integer(0))},
                                  {number_exact(e.node.attributes.number)}});
}

Text cell(const CellQuery& q) {
  const std::size_t width = q.node.shape.back(), c = q.flat % width;
  return {std::string(c % 2 == 0 ? "\\sin" : "\\cos") + "\\left(\\frac{" +
          q.operand(0, q.flat / width).text + "}{" + number_latex(q.node.attributes.number) + "^{" +
          std::to_string(c / 2 * 2) + "/" + std::to_string(width) + "}}\\right)"};
}

// A power for each channel, a sine or cosine for each cell.
Cost cost_rule(const Sizes& s) {
  Cost cost = cost::by_cell<1, 1>(s);
  cost.exponentials += s.node.shape.back();
  return cost;
}

}  // namespace

const Primitive primitives::sinusoid{.name = "sinusoid",
                                     .shape = shape,
                                     .forward = forward,
                                     .latex = latex,
                                     .python = python,
                                     .cell = cell,
                                     .samples = {{{{4}}, {{6}, 10000}}, {{{2, 3}}, {{5}, 100}}},
                                     .smooth = false,
                                     .noun = "waves",
                                     .batch = batch::by_operands,
                                     .cost = cost_rule};

Var sinusoid(Var positions, std::size_t width, double base) {
  return positions.graph().record(primitives::sinusoid, {positions},
                                  {{static_cast<long>(width)}, base});
}

}  // namespace attend
