// SPDX-License-Identifier: Apache-2.0
// Products of the rows of a block with the decays in between: x, y, decay [.. B p] -> [.. B B], as ops/decays.h says.
#include "ops/batch_rules.h"
#include "ops/decays.h"
#include "ops/primitives/decaying.h"
#include "ops/primitives/records.h"

namespace attend::decayed_pairs_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  decaying::need(in, 0);
  return decaying::shape_of_pairs(in[2]);
}

void forward(const Forward& f) {
  decaying::for_each_block(f, [](kernels::Decays decays, auto place, real* out) {
    kernels::decayed_pairs(decays, place(0), place(1), out);
  });
}

std::vector<Var> vjp(const Backward& b) {
  const Var x = b.in[0], y = b.in[1], decay = b.in[2], g = b.gradient;
  return {decayed_sums(g, y, decay), decayed_sums(g, x, decay, true), decay_slopes(g, x, y, decay)};
}

Text latex(const Expression& e) { return latex_call("\\operatorname{decayed\\_pairs}", e.in); }
Text python(const Expression& e) { return python_call("decayed_pairs", e.in); }

Text cell(const CellQuery& q) {
  const std::size_t rows = q.node.shape.back(), p = q.in_shapes[0]->back();
  const std::size_t j = q.flat % rows, i = q.flat / rows % rows, block = q.flat / (rows * rows);
  if (j >= i) return number_text(0);
  std::vector<Text> terms;
  for (std::size_t c = 0; c < p; ++c) {
    const Text x = q.operand(0, (block * rows + i) * p + c),
               y = q.operand(1, (block * rows + j) * p + c);
    terms.push_back({x.at(Text::product) + " \\cdot " + as_factor(y) +
                         decaying::factors_between(q, 2, block, j, i, c),
                     Text::product});
  }
  return joined(terms, " + ", Text::sum);
}

Cost cost_rule(const Sizes& s) { return decaying::cost_of(s, 2); }

}  // namespace

const Primitive record{
    .name = "decayed_pairs",
    .shape = shape,
    .forward = forward,
    .vjp = vjp,
    .latex = latex,
    .python = python,
    .cell = cell,
    .samples = {{{{5, 3}, {5, 3}, {5, 3}}}, {{{2, 19, 2}, {2, 19, 2}, {2, 19, 2}}, {}, -1, 1}},
    .smooth = false,
    .noun = "pairs",
    .batch = batch::by_operands,
    .cost = cost_rule};

}  // namespace attend::decayed_pairs_primitive

namespace attend {

Var decayed_pairs(Var x, Var y, Var decay) {
  return attend::apply(primitives::decayed_pairs, matrices::with_same_leading({x, y, decay}));
}

}  // namespace attend
