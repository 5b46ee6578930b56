// SPDX-License-Identifier: Apache-2.0
// Sums of the rows of a block with the decays in between: w [.. B B], y, decay [.. B p] -> [.. B p], as ops/decays.h
// says. Attributes: whether they run back.
#include "ops/batch_rules.h"
#include "ops/decays.h"
#include "ops/primitives/decaying.h"
#include "ops/primitives/records.h"

namespace attend::decayed_sums_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  decaying::need(in, 1);
  return in[2];
}

void forward(const Forward& f) {
  const bool back = f.node.attributes[0] != 0;
  decaying::for_each_block(f, [back](kernels::Decays decays, auto place, real* out) {
    (back ? kernels::decayed_sums_back : kernels::decayed_sums)(decays, place(0), place(1), out);
  });
}

// With g in place of the sums, w_ij y_j g_i D_ij is what all slopes are of.
std::vector<Var> vjp(const Backward& b) {
  const bool back = b.attributes[0] != 0;
  const Var w = b.in[0], y = b.in[1], decay = b.in[2], g = b.gradient;
  const Var later = back ? y : g, earlier = back ? g : y;
  return {decayed_pairs(later, earlier, decay), decayed_sums(w, g, decay, !back),
          decay_slopes(w, later, earlier, decay)};
}

Text latex(const Expression& e) { return latex_call("\\operatorname{decayed\\_sums}", e.in); }

Text python(const Expression& e) {
  std::vector<Text> in = e.in;
  if (e.integer(0) != 0) in.push_back({"back=True"});
  return python_call("decayed_sums", in);
}

Text cell(const CellQuery& q) {
  const bool back = q.node.attributes[0] != 0;
  const std::size_t p = q.node.shape.back(), rows = q.node.shape.end()[-2];
  const std::size_t c = q.flat % p, row = q.flat / p % rows, block = q.flat / (p * rows);
  std::vector<Text> terms;
  for (std::size_t other = back ? row + 1 : 0; other < (back ? rows : row); ++other) {
    const std::size_t i = back ? other : row, j = back ? row : other;
    const Text w = q.operand(0, (block * rows + i) * rows + j),
               y = q.operand(1, (block * rows + other) * p + c);
    terms.push_back({w.at(Text::product) + " \\cdot " + as_factor(y) +
                         decaying::factors_between(q, 2, block, j, i, c),
                     Text::product});
  }
  return terms.empty() ? number_text(0) : joined(terms, " + ", Text::sum);
}

Cost cost_rule(const Sizes& s) { return decaying::cost_of(s, 3); }

}  // namespace

const Primitive record{.name = "decayed_sums",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{5, 5}, {5, 3}, {5, 3}}, {{0}, 0}},
                                   {{{2, 10, 10}, {2, 10, 2}, {2, 10, 2}}, {{0}, 0}, -1, 1},
                                   {{{5, 5}, {5, 3}, {5, 3}}, {{1}, 0}},
                                   {{{2, 10, 10}, {2, 10, 2}, {2, 10, 2}}, {{1}, 0}, -1, 1}},
                       .smooth = false,
                       .noun = "sums",
                       .batch = batch::by_operands,
                       .cost = cost_rule};

}  // namespace attend::decayed_sums_primitive

namespace attend {

Var decayed_sums(Var w, Var y, Var decay, bool back) {
  return attend::apply(primitives::decayed_sums, matrices::with_same_leading({w, y, decay}),
                       {{back ? 1L : 0L}, 0});
}

}  // namespace attend
