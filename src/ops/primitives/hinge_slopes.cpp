// SPDX-License-Identifier: Apache-2.0
// The gradients of `hinges` by u, w, b, v and c, one behind the other, from its operands and the result's gradient.
// The gradient of the result is added up by segment, with and without u; a unit's gradient is that of its segments.
#include "ops/batch_rules.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/primitives/hinge_segments.h"
#include "ops/primitives/records.h"

namespace attend::hinge_slopes_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  hinge_network::check(in);
  std::size_t count = 0;
  for (std::size_t k = 0; k < 5; ++k) count += element_count(in[k]);
  if (element_count(in[5]) != element_count(in[0]) * in[4][0])
    refuse("a gradient of hinges has a number for each input and result; found shape " +
           to_text(in[5]));
  return {count};
}

void forward(const Forward& f) {
  const hinge_network::Segments all(f);
  if (!all.finite) {
    std::fill_n(f.out, element_count(f.node.shape), std::numeric_limits<real>::quiet_NaN());
    return;
  }
  const std::size_t count = element_count(*f.in_shapes[0]), h = all.results, units = all.units,
                    segments = all.turns + 1;
  // For each segment, and at the end for all of them, the sums of the gradient and of the gradient times u.
  kernels::Scratch<double> room((segments + 2) * 2 * h);
  double *const sums = room.data(), *const whole = sums + segments * 2 * h,
                *const before = whole + 2 * h;
  std::fill_n(sums, (segments + 2) * 2 * h, 0.0);
  for (std::size_t i = 0; i < count; ++i) {
    const real u = f.in[0][i];
    const real* const g = f.in[5] + i * h;
    const std::size_t segment = all.of(u);
    const real* const slopes = all.slopes(segment);
    double* const own = sums + segment * 2 * h;
    real slope = 0;
    for (std::size_t t = 0; t < h; ++t) {
      slope += g[t] * slopes[t];
      own[t] += static_cast<double>(g[t]);
      own[h + t] += static_cast<double>(g[t] * u);
    }
    f.out[i] = slope;
  }
  for (std::size_t at = 0; at < segments * 2 * h; ++at) whole[at % (2 * h)] += sums[at];
  real *const w = f.out + count, *const b = w + units, *const v = b + units,
              *const c = v + units * h;
  const auto write = [&](std::size_t a, const auto& sum_of) {
    double slope = 0, start = 0;
    for (std::size_t t = 0; t < h; ++t) {
      const double weight = f.in[3][a * h + t];
      start += weight * sum_of(t);
      slope += weight * sum_of(h + t);
      v[a * h + t] = static_cast<real>(f.in[1][a] * sum_of(h + t) + f.in[2][a] * sum_of(t));
    }
    w[a] = static_cast<real>(slope);
    b[a] = static_cast<real>(start);
  };
  // Units without a slope are the same everywhere; the others are written over.
  for (std::size_t a = 0; a < units; ++a)
    write(a, [&](std::size_t t) { return f.in[2][a] > 0 ? whole[t] : 0; });
  for (std::size_t k = 0; k < all.turns; ++k) {
    for (std::size_t t = 0; t < 2 * h; ++t) before[t] += sums[k * 2 * h + t];
    const std::size_t a = all.unit(k);
    write(a, [&](std::size_t t) { return f.in[1][a] < 0 ? before[t] : whole[t] - before[t]; });
  }
  for (std::size_t t = 0; t < h; ++t) c[t] = static_cast<real>(whole[t]);
}

// By the units, which are 0 or open: with P = U w + W u + B, of the gradients U, W, B, V and C of the result,
// what the result is multiplied by is  sum open (g v^T) P + sum unit (g V^T) + sum g C.
std::vector<Var> vjp(const Backward& b) {
  const Var w = b.in[1], v = b.in[3];
  const std::size_t count = element_count(b.in[0].shape()), units = v.extent(0), h = v.extent(1);
  const Var u = reshape(b.in[0], {count, 1}), g = reshape(b.in[5], {count, h});
  std::size_t start = 0;
  const auto next = [&](const Shape& shape) {
    const std::size_t from = start;
    start += element_count(shape);
    return reshape(slice(b.gradient, 0, from, start), shape);
  };
  const Var U = next({count, 1}), W = next({1, units}), B = next({1, units}), V = next({units, h}),
            C = next({1, h});
  const Var inside = u * w + b.in[2], open = greater(inside, scalar(inside, 0));
  const Var by_v = open * matmul(g, v, false, true), by_V = open * matmul(g, V, false, true);
  const Var P = open * (U * w + W * u + B);
  return {reshape(sum(by_v * W + by_V * w, -1), b.in[0].shape()),
          sum(by_v * U + by_V * u, 0, true),
          sum(by_V, 0),
          matmul(P, g, true, false),
          Var{},
          reshape(matmul(P, v) + matmul(open * inside, V) + C, b.in[5].shape())};
}

Text latex(const Expression& e) { return latex_call("\\nabla\\operatorname{hinges}", e.in); }

Text python(const Expression& e) { return python_call("hinge_slopes", e.in); }

Text cell(const CellQuery&) { return {"\\ldots"}; }

Cost cost_rule(const Sizes& s) {
  Cost cost = cost::moved(s);
  const Shape& v = *s.in[3];
  cost.multiply_adds = cost::cells(*s.in[0]) * (hinge_network::search(v) + 4 * v[1]) +
                       3 * hinge_network::preparation(v);
  cost.exact = false;
  return cost;
}

}  // namespace

const Primitive record{.name = "hinge_slopes",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 4}, {1, 2}, {2}, {2, 2}, {2}, {3, 4, 2}}}},
                       .smooth = false,
                       .batch = batch::by_examples,
                       .cost = cost_rule};

}  // namespace attend::hinge_slopes_primitive
