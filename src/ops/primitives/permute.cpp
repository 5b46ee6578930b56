// SPDX-License-Identifier: Apache-2.0
// The axes in another order. Attributes: the operand's axes, each once.
#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>

#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::permute_primitive {
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

// Short runs by blocks: a call for each run would take longer than its numbers.
void copy_run(const real* from, std::size_t count, real* to) {
  constexpr std::size_t block = 4, short_run = 64;
  if (count > short_run) {
    std::copy_n(from, count, to);
    return;
  }
  std::size_t i = 0;
  for (; i + block <= count; i += block) std::memcpy(to + i, from + i, block * sizeof(real));
  for (; i < count; ++i) to[i] = from[i];
}

// Axes of the result that lie behind each other in the operand are walked as one.
void forward(const Forward& f) {
  struct Axis {
    std::size_t extent, step;
  };
  const Strides strides = strides_of(*f.in_shapes[0]);
  std::array<Axis, max_rank> axes;
  std::size_t count = 0;
  for (std::size_t i = 0; i < f.node.shape.size(); ++i) {
    const Axis axis{f.node.shape[i], strides[static_cast<std::size_t>(f.node.attributes[i])]};
    if (axis.extent == 0) return;
    if (axis.extent == 1) continue;
    if (count > 0 && axes[count - 1].step == axis.step * axis.extent)
      axes[count - 1] = {axes[count - 1].extent * axis.extent, axis.step};
    else
      axes[count++] = axis;
  }
  const Axis inner = count == 0 ? Axis{1, 1} : axes[--count];
  std::array<std::size_t, max_rank> counter{};
  const real* from = f.in[0];
  for (real* to = f.out;; to += inner.extent) {
    if (inner.step == 1) {
      copy_run(from, inner.extent, to);
    } else {
      for (std::size_t i = 0; i < inner.extent; ++i) to[i] = from[i * inner.step];
    }
    std::size_t i = count;
    for (; i > 0; --i) {
      from += axes[i - 1].step;
      if (++counter[i - 1] < axes[i - 1].extent) break;
      from -= axes[i - 1].step * axes[i - 1].extent;
      counter[i - 1] = 0;
    }
    if (i == 0) return;
  }
}

std::vector<Var> vjp(const Backward& b) {
  std::vector<long> back(b.attributes.integers.size());
  for (std::size_t i = 0; i < back.size(); ++i)
    back[static_cast<std::size_t>(b.attributes[i])] = static_cast<long>(i);
  return {permute(b.gradient, back)};
}

bool swaps_last_two(const std::vector<long>& axes) {
  std::vector<long> swapped(axes.size());
  std::iota(swapped.begin(), swapped.end(), 0L);
  if (axes.size() >= 2) std::swap(swapped[axes.size() - 1], swapped[axes.size() - 2]);
  return axes.size() >= 2 && axes == swapped;
}

// A swap of the last two axes is a transposition; other orders are listed, counted from 1.
Text latex(const Expression& e) {
  const std::vector<long>& axes = e.node.attributes.integers;
  if (swaps_last_two(axes)) return {raised(e.in[0], "\\top")};
  std::string order;
  for (const long axis : axes) order += (order.empty() ? "" : ",") + std::to_string(axis + 1);
  return latex_call("\\operatorname{permute}_{" + order + "}", {e.in[0]});
}

// A swap of the last two axes says so; other orders are listed.
Text python(const Expression& e) {
  const std::vector<long>& axes = e.node.attributes.integers;
  const std::string x = tensor_operand(e, 0).at(Text::atom);
  if (swaps_last_two(axes)) return {x + ".swapaxes(-1, -2)"};
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

const Primitive record{.name = "permute",
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

}  // namespace attend::permute_primitive
