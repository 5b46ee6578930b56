// SPDX-License-Identifier: Apache-2.0
// A small network of one number with hinges as units: u [..], w [1 a], b [a], v [a h], c [h] ->
//   out[.., h] = sum_a max(0, u w_a + b_a) v_ah + c_h
// It is linear between the units' points, so that each number needs a search among these points, not a sum over units.
#include "ops/batch_rules.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/primitives/hinge_segments.h"
#include "ops/primitives/records.h"

namespace attend::hinges_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  hinge_network::check(in);
  Shape out = in[0];
  out.push_back(in[4][0]);
  return out;
}

void forward(const Forward& f) {
  const hinge_network::Segments all(f);
  const std::size_t count = element_count(*f.in_shapes[0]), h = all.results;
  if (!all.finite) {
    std::fill_n(f.out, count * h, std::numeric_limits<real>::quiet_NaN());
    return;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const real u = f.in[0][i];
    const std::size_t segment = all.of(u);
    const real *const slopes = all.slopes(segment), *const starts = all.starts(segment);
    for (std::size_t t = 0; t < h; ++t) f.out[i * h + t] = slopes[t] * u + starts[t];
  }
}

std::vector<Var> vjp(const Backward& b) {
  std::vector<Var> in = b.in;
  in.push_back(b.gradient);
  const Var all = attend::apply(primitives::hinge_slopes, in);
  std::vector<Var> gradients;
  std::size_t start = 0;
  for (const Var& x : b.in) {
    const std::size_t count = element_count(x.shape());
    gradients.push_back(reshape(slice(all, 0, start, start + count), x.shape()));
    start += count;
  }
  return gradients;
}

Text latex(const Expression& e) {
  const auto of = [&](std::size_t k) { return e.in[k].at(Text::product); };
  return {"\\max(0, " + of(0) + " " + of(1) + " + " + e.in[2].text + ") " + of(3) + " + " +
              e.in[4].at(Text::product),
          Text::sum};
}

Text python(const Expression& e) {
  const auto of = [&](std::size_t k) { return tensor_operand(e, k); };
  const std::string inner = of(0).at(Text::atom) + "[..., None] * " + of(1).at(Text::atom) + " + " +
                            of(2).at(Text::product),
                    units = e.torch ? "torch.relu(" + inner + ")" : "np.maximum(" + inner + ", 0)";
  return {units + " @ " + of(3).at(Text::atom) + " + " + of(4).at(Text::product), Text::sum};
}

Text cell(const CellQuery& q) {
  const std::size_t h = q.node.shape.back(), units = q.in_shapes[2]->back();
  const Text u = q.operand(0, q.flat / h);
  std::vector<Text> terms;
  for (std::size_t a = 0; a < units; ++a) {
    const Text w = q.operand(1, a), b = q.operand(2, a), v = q.operand(3, a * h + q.flat % h);
    const Text unit{u.at(Text::product) + " \\cdot " + as_factor(w) + " + " + as_addend(b)};
    terms.push_back(
        {latex_call("\\max", {{"0"}, unit}).text + " \\cdot " + as_factor(v), Text::product});
  }
  terms.push_back(q.operand(4, q.flat % h));
  return joined(terms, " + ", Text::sum);
}

Cost cost_rule(const Sizes& s) {
  Cost cost = cost::moved(s);
  const Shape& v = *s.in[3];
  cost.multiply_adds =
      cost::cells(*s.in[0]) * (hinge_network::search(v) + v[1]) + hinge_network::preparation(v);
  cost.exact = false;
  return cost;
}

}  // namespace

const Primitive record{
    .name = "hinges",
    .shape = shape,
    .forward = forward,
    .vjp = vjp,
    .latex = latex,
    .python = python,
    .cell = cell,
    .samples = {{{{2, 3}, {1, 3}, {3}, {3, 2}, {2}}}, {{{4}, {1, 2}, {2}, {2, 1}, {1}}}},
    .smooth = false,
    .noun = "network",
    .batch = batch::by_examples,
    .cost = cost_rule};

}  // namespace attend::hinges_primitive

namespace attend {

Var hinges(Var u, Var w, Var b, Var v, Var c) { return apply(primitives::hinges, {u, w, b, v, c}); }

}  // namespace attend
