// SPDX-License-Identifier: Apache-2.0
// Products with the rows that a list names: out[.., i, s] = a_i . b_index[i, s].
#include "ops/batch_rules.h"
#include "ops/primitives/listing.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::listed_products_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {  // a [.. m p]  b [.. n p]
  matrices::need_same_leading(in, "lists");
  listing::need_rows(in[0], in[2]);
  if (in[0].back() != in[1].back())
    refuse("products need rows of equal widths; found shapes " + to_text(in[0]) + " and " +
           to_text(in[1]));
  return in[2];
}

void forward(const Forward& f) {
  const std::size_t m = f.in_shapes[0]->end()[-2], n = f.in_shapes[1]->end()[-2],
                    p = f.in_shapes[0]->back();
  const auto visit = [&, at = std::size_t{0}](std::size_t r, std::size_t i, std::size_t,
                                              std::size_t j) mutable {
    f.out[at++] = listing::product(f.in[0] + (r * m + i) * p, f.in[1] + (r * n + j) * p, p);
  };
  listing::for_each(f, 2, n, visit);
}

std::vector<Var> vjp(const Backward& b) {
  return {listed_sums(b.gradient, b.in[1], b.in[2]),
          listed_spread(b.gradient, b.in[0], b.in[2], b.in[1].extent(-2)), Var{}};
}

Text latex(const Expression& e) {
  return {e.in[0].at(Text::product) + " \\cdot " + lowered(e.in[1], "[" + e.in[2].text + "]"),
          Text::product};
}

Text python(const Expression& e) {
  return python_call("listed_products",
                     {tensor_operand(e, 0), tensor_operand(e, 1), tensor_operand(e, 2)});
}

Text cell(const CellQuery& q) {
  const std::size_t t = q.node.shape.back(), m = q.node.shape.end()[-2];
  const std::size_t n = q.in_shapes[1]->end()[-2], p = q.in_shapes[0]->back();
  const std::size_t row = q.flat / t, r = row / m;
  const std::size_t j = r * n + static_cast<std::size_t>(q.value(2, q.flat));
  std::vector<Text> terms;
  for (std::size_t c = 0; c < p; ++c) {
    const Text x = q.operand(0, row * p + c), y = q.operand(1, j * p + c);
    terms.push_back({x.at(Text::product) + " \\cdot " + as_factor(y), Text::product});
  }
  return joined(terms, " + ", Text::sum);
}

Cost cost_rule(const Sizes& s) { return listing::cost_of(s, s.in[0]->back(), 1); }

}  // namespace

const Primitive record{.name = "listed_products",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 4}, {5, 4}, {3, 2}}, {}, 0, 4, true},
                                   {{{2, 3, 9}, {2, 4, 9}, {2, 3, 3}}, {}, 0, 3, true}},
                       .noun = "products",
                       .batch = batch::by_operands,
                       .cost = cost_rule};

}  // namespace attend::listed_products_primitive

namespace attend {

Var listed_products(Var a, Var b, Var index) {
  return attend::apply(primitives::listed_products, matrices::with_same_leading({a, b, index}));
}

}  // namespace attend
