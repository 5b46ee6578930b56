// SPDX-License-Identifier: Apache-2.0
// Choice between two operands by a condition of 0 and 1, with broadcasting. The branch not taken
// adds nothing to the gradient.
#include <algorithm>

#include "kernels/vector.h"
#include "ops/batch_rules.h"
#include "ops/broadcast_loop.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::where_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  return broadcast_shapes(in[0], broadcast_shapes(in[1], in[2]));
}

void forward(const Forward& f) {
  using kernels::Batch;
  for_each_run<3>(f.node.shape, {*f.in_shapes[0], *f.in_shapes[1], *f.in_shapes[2]},
                  [&](std::size_t at, const auto& offset, std::size_t count, const auto& step) {
                    const auto from = [&](std::size_t k, std::size_t i) {
                      return f.in[k] + offset[k] + i * step[k];
                    };
                    const auto several = [&](std::size_t k, std::size_t i) {
                      return step[k] == 0 ? Batch(*from(k, 0)) : Batch::load_unaligned(from(k, i));
                    };
                    std::size_t i = 0;
                    const bool whole = std::ranges::all_of(step, [](auto s) { return s < 2; });
                    for (; whole && i + Batch::size <= count; i += Batch::size) {
                      xsimd::select(several(0, i) != Batch(0), several(1, i), several(2, i))
                          .store_unaligned(f.out + at + i);
                    }
                    for (; i < count; ++i)
                      f.out[at + i] = *from(0, i) != 0 ? *from(1, i) : *from(2, i);
                  });
}

std::vector<Var> vjp(const Backward& b) {
  const Var zero = scalar(b.gradient, 0);
  return {Var{}, sum_to(where(b.in[0], b.gradient, zero), b.in[1].shape()),
          sum_to(where(b.in[0], zero, b.gradient), b.in[2].shape())};
}

Text latex(const Expression& e) {
  return {"\\begin{cases}" + e.in[1].text + " & \\text{if } " + e.in[0].text + "\\\\ " +
          e.in[2].text + " & \\text{otherwise}\\end{cases}"};
}

// "real(a > b)" becomes "a > b" again where its brackets enclose the whole.
std::string python_condition(const Text& condition) {
  const std::string& text = condition.text;
  if (!text.starts_with("real(")) return condition.at(Text::product) + " != 0";
  int depth = 0;
  for (std::size_t i = 4; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth == 0)
      return i + 1 == text.size() ? text.substr(5, i - 5) : condition.at(Text::product) + " != 0";
  }
  return text;
}

Text python(const Expression& e) {
  return {module_of(e) + ".where(" + python_condition(tensor_operand(e, 0)) + ", " +
          tensor_operand(e, 1).text + ", " + tensor_operand(e, 2).text + ")"};
}

Text cell(const CellQuery& q) {
  const auto place = [&](std::size_t k) {
    return broadcast_position(q.flat, *q.in_shapes[k], q.node.shape);
  };
  const std::size_t taken = q.value(0, place(0)) != 0 ? 1 : 2;
  return q.operand(taken, place(taken));
}

}  // namespace

const Primitive record{.name = "where",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 4}, {3, 4}, {3, 4}}, {}, -2, 2, false, 0},
                                   {{{3, 1}, {4}, {}}, {}, -2, 2, false, 0}},
                       .noun = "chosen",
                       .keeps_rows = true,
                       .batch = batch::by_broadcasting,
                       .cost = cost::moved};

}  // namespace attend::where_primitive
