// SPDX-License-Identifier: Apache-2.0
// Sinusoids of positions, of a new last axis: sin and cos in turn. Attribute: the width. Operands: the positions, the
// base, one number (of a batch, one for each example), and if wanted what the wavelength of each pair is multiplied
// by, [width/2]. Angles are computed in double, whatever `real` is.
// Positions are indices, and a base is chosen: their gradients are left out on purpose.
#include <algorithm>
#include <cmath>

#include "ops/batch_rules.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::sinusoid_primitive {
namespace {

double angle_frequency(std::size_t channel, std::size_t width, double base) {
  const double pair = static_cast<double>(channel / 2 * 2);
  return std::pow(base, -pair / static_cast<double>(width));
}

std::size_t pairs_in(std::size_t width) { return (width + 1) / 2; }

Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  const auto width = static_cast<std::size_t>(a[0]);
  if (in.size() > 2 && (in[2].empty() || in[2].back() != pairs_in(width)))
    refuse("sinusoids of width " + std::to_string(width) + " have " +
           std::to_string(pairs_in(width)) + " pairs to stretch; found " + to_text(in[2]));
  Shape waves = in[0];
  waves.push_back(width);
  return waves;
}

void forward(const Forward& f) {
  const std::size_t width = f.node.shape.back(), pairs = pairs_in(width);
  const bool stretched = f.in.size() > 2;
  const std::size_t bases = element_count(*f.in_shapes[1]);
  const std::size_t stretches = stretched ? element_count(*f.in_shapes[2]) / pairs : 1;
  const std::size_t groups = std::max(bases, stretches);
  const std::size_t count = element_count(*f.in_shapes[0]) / groups;
  for (std::size_t k = 0; k < groups; ++k) {
    const real* const positions = f.in[0] + k * count;
    const real* const stretch = stretched ? f.in[2] + (stretches == 1 ? 0 : k * pairs) : nullptr;
    const auto base = static_cast<double>(f.in[1][bases == 1 ? 0 : k]);
    real* const out = f.out + k * count * width;
    for (std::size_t c = 0; c < width; ++c) {
      const double frequency =
          angle_frequency(c, width, base) / (stretched ? static_cast<double>(stretch[c / 2]) : 1);
      for (std::size_t p = 0; p < count; ++p) {
        const double angle = static_cast<double>(positions[p]) * frequency;
        out[p * width + c] = static_cast<real>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
      }
    }
  }
}

Text latex(const Expression& e) { return latex_call("\\operatorname{PE}", e.in); }

Text python(const Expression& e) {
  std::vector<Text> given{tensor_operand(e, 0), {std::to_string(e.integer(0))}, e.in[1]};
  if (e.in.size() > 2) given.push_back(tensor_operand(e, 2));
  return python_call("sinusoid", given);
}

Text cell(const CellQuery& q) {
  const std::size_t width = q.node.shape.back(), c = q.flat % width;
  const bool stretched = q.in_shapes.size() > 2;
  return {std::string(c % 2 == 0 ? "\\sin" : "\\cos") + "\\left(\\frac{" +
          q.operand(0, q.flat / width).text + "}{" +
          (stretched ? q.operand(2, c / 2).at(Text::product) + "\\cdot " : std::string()) +
          q.operand(1, 0).text + "^{" + std::to_string(c / 2 * 2) + "/" + std::to_string(width) +
          "}}\\right)"};
}

// A power for each channel and base, a sine or cosine for each cell; a division for each channel that is stretched.
Cost cost_rule(const Sizes& s) {
  Cost cost = cost::by_cell<1, 1>(s);
  const std::uint64_t powers = s.node.shape.back() * cost::cells(*s.in[1]);
  cost.exponentials += powers;
  if (s.in.size() > 2) cost.multiply_adds += powers;
  return cost;
}

}  // namespace

const Primitive record{.name = "sinusoid",
                       .shape = shape,
                       .forward = forward,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{4}, {}}, {{6}}, 2, 90},
                                   {{{2, 3}, {1}}, {{5}}, 2, 9},
                                   {{{4}, {}, {3}}, {{6}}, 2, 90}},
                       .smooth = false,
                       .noun = "waves",
                       .batch = batch::by_first,
                       .cost = cost_rule};

}  // namespace attend::sinusoid_primitive

namespace attend {

Var sinusoid(Var positions, std::size_t width, double base) {
  return apply(primitives::sinusoid, {positions, scalar(positions, base)},
               {{static_cast<long>(width)}});
}

}  // namespace attend
