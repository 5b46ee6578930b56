// SPDX-License-Identifier: Apache-2.0
// The transpose of listed_sums: out[.., index[i, s]] += w[i, s] x_i. Attributes: how many rows there are.
#include "ops/batch_rules.h"
#include "ops/primitives/listing.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::listed_spread_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes& a) {  // w [.. m t]  x [.. m d]
  matrices::need_same_leading(in, "lists");
  listing::need_rows(in[1], in[2]);
  if (in[0] != in[2])
    refuse("a list needs a weight for each of its entries; found shapes " + to_text(in[0]) +
           " and " + to_text(in[2]));
  Shape out = in[1];
  out.end()[-2] = static_cast<std::size_t>(a[0]);
  return out;
}

void forward(const Forward& f) {
  const std::size_t m = f.in_shapes[1]->end()[-2], n = f.node.shape.end()[-2],
                    d = f.node.shape.back();
  std::fill_n(f.out, element_count(f.node.shape), real{0});
  const auto visit = [&, at = std::size_t{0}](std::size_t r, std::size_t i, std::size_t,
                                              std::size_t j) mutable {
    listing::add(f.in[0][at++], f.in[1] + (r * m + i) * d, f.out + (r * n + j) * d, d);
  };
  listing::for_each(f, 2, n, visit);
}

std::vector<Var> vjp(const Backward& b) {
  return {listed_products(b.in[1], b.gradient, b.in[2]), listed_sums(b.in[0], b.gradient, b.in[2]),
          Var{}};
}

Text latex(const Expression& e) {
  return {"\\sum_{" + e.in[2].text + "} " + e.in[0].at(Text::product) + "\\, " +
              e.in[1].at(Text::product),
          Text::product};
}

Text python(const Expression& e) {
  return python_call("listed_spread", {tensor_operand(e, 0),
                                       tensor_operand(e, 1),
                                       tensor_operand(e, 2),
                                       {std::to_string(e.integer(0))}});
}

Text cell(const CellQuery& q) {
  const std::size_t d = q.node.shape.back(), n = q.node.shape.end()[-2];
  const std::size_t m = q.in_shapes[1]->end()[-2], t = q.in_shapes[2]->back();
  const std::size_t j = q.flat / d % n, r = q.flat / (d * n);
  std::vector<Text> terms;
  for (std::size_t at = r * m * t; at < (r + 1) * m * t; ++at) {
    if (static_cast<std::size_t>(q.value(2, at)) != j) continue;
    const Text w = q.operand(0, at), x = q.operand(1, at / t * d + q.flat % d);
    terms.push_back({w.at(Text::product) + " \\cdot " + as_factor(x), Text::product});
  }
  return terms.empty() ? number_text(0) : joined(terms, " + ", Text::sum);
}

Cost cost_rule(const Sizes& s) { return listing::cost_of(s, s.node.shape.back(), 1); }

}  // namespace

const Primitive record{.name = "listed_spread",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 2}, {3, 4}, {3, 2}}, {{5}}, 0, 4, true},
                                   {{{2, 3, 3}, {2, 3, 2}, {2, 3, 3}}, {{4}}, 0, 3, true}},
                       .noun = "spread",
                       .batch = batch::by_operands,
                       .cost = cost_rule};

}  // namespace attend::listed_spread_primitive

namespace attend {

Var listed_spread(Var w, Var x, Var index, std::size_t n) {
  return attend::apply(primitives::listed_spread, matrices::with_same_leading({w, x, index}),
                       {{static_cast<long>(n)}, 0});
}

}  // namespace attend
