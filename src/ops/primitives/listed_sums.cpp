// SPDX-License-Identifier: Apache-2.0
// Weighted sums of the rows that a list names: out[.., i] = sum_s w[i, s] x_index[i, s].
#include <vector>

#include "ops/batch_rules.h"
#include "ops/primitives/listing.h"
#include "ops/primitives/records.h"
#include "ops/text.h"
#include "ops/weight_store.h"

namespace attend::listed_sums_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {  // w [.. m t]  x [.. n d]
  matrices::need_same_leading(in, "lists");
  if (in[0] != in[2])
    refuse("a list needs a weight for each of its entries; found shapes " + to_text(in[0]) +
           " and " + to_text(in[2]));
  Shape out = in[0];
  out.back() = in[1].back();
  return out;
}

void forward(const Forward& f) {
  const std::size_t n = f.in_shapes[1]->end()[-2], m = f.node.shape.end()[-2],
                    d = f.node.shape.back();
  std::fill_n(f.out, element_count(f.node.shape), real{0});
  std::vector<real> row(f.in[1] == nullptr ? d : 0);  // of a table that lies as its file has it
  const auto visit = [&, at = std::size_t{0}](std::size_t r, std::size_t i, std::size_t,
                                              std::size_t j) mutable {
    const std::size_t from = (r * n + j) * d;
    if (f.in[1] == nullptr) f.stored.tensor->read(f.stored.first + from, row);
    listing::add(f.in[0][at++], f.in[1] == nullptr ? row.data() : f.in[1] + from,
                 f.out + (r * m + i) * d, d);
  };
  listing::for_each(f, 2, n, visit);
}

std::vector<Var> vjp(const Backward& b) {
  return {listed_products(b.gradient, b.in[1], b.in[2]),
          listed_spread(b.in[0], b.gradient, b.in[2], b.in[1].extent(-2)), Var{}};
}

Text latex(const Expression& e) {
  return {"\\sum_{" + e.in[2].text + "} " + e.in[0].at(Text::product) + "\\, " +
              lowered(e.in[1], "[" + e.in[2].text + "]"),
          Text::product};
}

Text python(const Expression& e) {
  return python_call("listed_sums",
                     {tensor_operand(e, 0), tensor_operand(e, 1), tensor_operand(e, 2)});
}

Text cell(const CellQuery& q) {
  const std::size_t d = q.node.shape.back(), m = q.node.shape.end()[-2];
  const std::size_t n = q.in_shapes[1]->end()[-2], t = q.in_shapes[2]->back();
  const std::size_t row = q.flat / d, r = row / m;
  std::vector<Text> terms;
  for (std::size_t s = 0; s < t; ++s) {
    const std::size_t j = r * n + static_cast<std::size_t>(q.value(2, row * t + s));
    const Text w = q.operand(0, row * t + s), x = q.operand(1, j * d + q.flat % d);
    terms.push_back({w.at(Text::product) + " \\cdot " + as_factor(x), Text::product});
  }
  return joined(terms, " + ", Text::sum);
}

Cost cost_rule(const Sizes& s) { return listing::cost_of(s, s.node.shape.back(), 1); }

}  // namespace

const Primitive record{.name = "listed_sums",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 2}, {5, 4}, {3, 2}}, {}, 0, 4, true},
                                   {{{2, 3, 3}, {2, 4, 2}, {2, 3, 3}}, {}, 0, 3, true}},
                       .noun = "sums",
                       .batch = batch::by_operands,
                       .cost = cost_rule,
                       .reads_stored = [](const Shape&, const StoredNumbers&) { return true; }};

}  // namespace attend::listed_sums_primitive

namespace attend {

Var listed_sums(Var w, Var x, Var index) {
  return attend::apply(primitives::listed_sums, matrices::with_same_leading({w, x, index}));
}

}  // namespace attend
