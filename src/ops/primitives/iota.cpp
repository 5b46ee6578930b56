// SPDX-License-Identifier: Apache-2.0
// The index along one axis. Attributes: the extents, 1 but for the first.
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/extents.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::iota_primitive {
namespace {

Shape shape(const std::vector<Shape>&, const Attributes& a) { return to_shape(a.integers); }

void forward(const Forward& f) {
  for (std::size_t i = 0; i < element_count(f.node.shape); ++i) f.out[i] = static_cast<real>(i);
}

Text latex(const Expression& e) { return {e.node.shape.size() == 1 ? "j" : "i"}; }

Text python(const Expression& e) {
  const std::string count = std::to_string(element_count(e.node.shape));
  const std::string range = module_of(e) + ".arange(" + count + ", dtype=x_type)";
  std::string axes;
  for (std::size_t i = 1; i < e.node.shape.size(); ++i) axes += ", None";
  return {axes.empty() ? range : range + "[:" + axes + "]"};
}

Text cell(const CellQuery& q) { return {std::to_string(q.flat)}; }

}  // namespace

const Primitive record{.name = "iota",
                       .shape = shape,
                       .forward = forward,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{}, {{5}}}, {{}, {{5, 1}}}},
                       .noun = "index",
                       .view = true,
                       .cost = cost::moved};

}  // namespace attend::iota_primitive
