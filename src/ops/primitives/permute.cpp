// SPDX-License-Identifier: Apache-2.0
// The axes in another order. Attributes: the operand's axes, each once.
#include <numeric>

#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  Shape turned;
  for (const long axis : a.integers) turned.push_back(in[0][axis_index(axis, in[0].size())]);
  return turned;
}

// The operand's cell behind cell `flat` of a permuted result.
std::size_t permuted(std::size_t flat, const Strides& strides, const Node& node) {
  std::size_t at = 0;
  for (std::size_t i = node.shape.size(); i-- > 0;) {
    at += flat % node.shape[i] * strides[static_cast<std::size_t>(node.attributes[i])];
    flat /= node.shape[i];
  }
  return at;
}

void forward(const Forward& f) {
  const Strides strides = strides_of(*f.in_shapes[0]);
  const Shape& turned = f.node.shape;
  if (turned.empty()) {
    *f.out = *f.in[0];
    return;
  }
  const std::size_t length = turned.back();
  const std::size_t step = strides[static_cast<std::size_t>(f.node.attributes.integers.back())];
  const std::size_t rows = length == 0 ? 0 : element_count(turned) / length;
  for (std::size_t r = 0; r < rows; ++r) {
    const real* from = f.in[0] + permuted(r * length, strides, f.node);
    for (std::size_t i = 0; i < length; ++i) f.out[r * length + i] = from[i * step];
  }
}

std::vector<Var> vjp(const Backward& b) {
  std::vector<long> back(b.attributes.integers.size());
  for (std::size_t i = 0; i < back.size(); ++i)
    back[static_cast<std::size_t>(b.attributes[i])] = static_cast<long>(i);
  return {permute(b.gradient, back)};
}

Text latex(const Expression& e) { return {raised(e.in[0], "\\top")}; }

// A swap of the last two axes says so; other orders are listed.
Text python(const Expression& e) {
  const std::vector<long>& axes = e.node.attributes.integers;
  std::vector<long> swapped(axes.size());
  std::iota(swapped.begin(), swapped.end(), 0L);
  if (axes.size() >= 2) std::swap(swapped[axes.size() - 1], swapped[axes.size() - 2]);
  const std::string x = tensor_operand(e, 0).at(Text::atom);
  if (axes.size() >= 2 && axes == swapped) return {x + ".swapaxes(-1, -2)"};
  return {x + (e.torch ? ".permute(" : ".transpose(") + python_tuple(axes) + ")"};
}

Text cell(const CellQuery& q) {
  return q.operand(0, permuted(q.flat, strides_of(*q.in_shapes[0]), q.node));
}

Var batch_rule(const Batch& b) {
  std::vector<long> axes{0};
  for (const long axis : b.node.attributes.integers) axes.push_back(axis + 1);
  return permute(b.in[0], std::move(axes));
}

}  // namespace

const Primitive primitives::permute{.name = "permute",
                                    .shape = shape,
                                    .forward = forward,
                                    .vjp = vjp,
                                    .latex = latex,
                                    .python = python,
                                    .cell = cell,
                                    .samples = {{{{3, 4}}, {{1, 0}}}, {{{2, 3, 4}}, {{2, 0, 1}}}},
                                    .noun = "turned",
                                    .view = true,
                                    .batch = batch_rule,
                                    .cost = cost::moved};

Var permute(Var x, std::vector<long> axes) {
  return x.graph().record(primitives::permute, {x}, {std::move(axes), 0});
}

}  // namespace attend
