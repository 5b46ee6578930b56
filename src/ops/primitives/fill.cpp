// SPDX-License-Identifier: Apache-2.0
// A constant tensor. Attributes: its extents and the number.
#include <algorithm>

#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/extents.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::fill_primitive {
namespace {

Shape shape(const std::vector<Shape>&, const Attributes& a) { return to_shape(a.integers); }

void forward(const Forward& f) {
  std::fill_n(f.out, element_count(f.node.shape), static_cast<real>(f.node.attributes.number));
}

Text latex(const Expression& e) { return constant_text(e.node.attributes.number); }

Text python(const Expression& e) {
  const double value = e.node.attributes.number;
  std::string text = number_exact(value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  if (e.node.shape.empty())
    return value < 0 ? Text{"(" + text + ")", Text::literal} : Text{text, Text::literal};
  const std::string size = python_tuple(e.node.attributes.integers);
  const std::string call = value == 0   ? ".zeros(" + size
                           : value == 1 ? ".ones(" + size
                                        : ".full(" + size + ", " + text;
  return {module_of(e) + call + ", dtype=x_type)"};
}

Text cell(const CellQuery& q) { return number_text(q.node.attributes.number); }

}  // namespace

const Primitive record{.name = "fill",
                       .shape = shape,
                       .forward = forward,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{}, {{2, 3}, 1.5}}, {{}, {{}, -2}}},
                       .noun = "constant",
                       .view = true,
                       .cost = cost::moved};

}  // namespace attend::fill_primitive
