// SPDX-License-Identifier: Apache-2.0
// Squared distances of rows: a [.. m p], b [.. n p] -> out[.., i, j] = |a_i - b_j|^2, by the differences themselves,
// so that rows that are equal have a distance of 0; the differences of all pairs are never held.
#include <algorithm>

#include "kernels/scratch.h"
#include "ops/batch_rules.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/primitives/matrices.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::squared_gaps_primitive {
namespace {

constexpr std::size_t block = 64;  // rows of b that lie side by side

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  matrices::need_same_leading(in, "distances");
  if (in[0].back() != in[1].back())
    refuse("distances need rows of equal widths; found shapes " + to_text(in[0]) + " and " +
           to_text(in[1]));
  Shape out = in[0];
  out.back() = in[1].end()[-2];
  return out;
}

// Rows of a [m p] against `width` rows of b, which stand in columns.
void against(const real* a, std::size_t m, std::size_t p, const real* columns, std::size_t width,
             real* out, std::size_t n) {
  for (std::size_t i = 0; i < m; ++i) {
    real sums[block] = {};
    for (std::size_t c = 0; c < p; ++c) {
      const real x = a[i * p + c];
      const real* const y = columns + c * block;
      for (std::size_t t = 0; t < block; ++t) {
        const real gap = x - y[t];
        sums[t] += gap * gap;
      }
    }
    std::copy_n(sums, width, out + i * n);
  }
}

void forward(const Forward& f) {
  const std::size_t m = f.node.shape.end()[-2], n = f.node.shape.back(), p = f.in_shapes[0]->back();
  kernels::Scratch<real> columns(block * p);
  for (std::size_t r = 0; r < matrices::count_of(f.node.shape); ++r) {
    const real *const a = f.in[0] + r * m * p, *const b = f.in[1] + r * n * p;
    for (std::size_t j = 0; j < n; j += block) {
      const std::size_t width = std::min(block, n - j);
      for (std::size_t t = 0; t < width; ++t) {
        for (std::size_t c = 0; c < p; ++c) columns.data()[c * block + t] = b[(j + t) * p + c];
      }
      against(a, m, p, columns.data(), width, f.out + r * m * n + j, n);
    }
  }
}

// d |a_i - b_j|^2 = 2 (a_i - b_j) (da_i - db_j), summed over the pairs of a row or of a column.
std::vector<Var> vjp(const Backward& b) {
  const Var x = b.in[0], y = b.in[1], g = b.gradient;
  return {2 * apply(primitives::gap_sums, {g, x, y}, {{0}}),
          2 * apply(primitives::gap_sums, {g, y, x}, {{1}})};
}

Text latex(const Expression& e) {
  return {"\\left\\| " + e.in[0].at(Text::sum) + " - " + e.in[1].at(Text::product) +
          " \\right\\|^{2}"};
}

Text python(const Expression& e) {
  const auto operand = [&](std::size_t k) { return tensor_operand(e, k).at(Text::atom); };
  return {"((" + operand(0) + "[..., :, None, :] - " + operand(1) +
          "[..., None, :, :]) ** 2).sum(-1)"};
}

Text cell(const CellQuery& q) {
  const std::size_t m = q.node.shape.end()[-2], n = q.node.shape.back(), p = q.in_shapes[0]->back();
  const std::size_t j = q.flat % n, i = q.flat / n % m, r = q.flat / (m * n);
  std::vector<Text> terms;
  for (std::size_t c = 0; c < p; ++c) {
    const Text x = q.operand(0, (r * m + i) * p + c), y = q.operand(1, (r * n + j) * p + c);
    terms.push_back({"\\left(" + x.text + " - " + as_addend(y) + "\\right)^{2}", Text::product});
  }
  return joined(terms, " + ", Text::sum);
}

Cost cost_rule(const Sizes& s) {
  Cost cost = cost::moved(s);
  cost.multiply_adds = 2 * cost::cells(s.node.shape) * s.in[0]->back();
  return cost;
}

}  // namespace

const Primitive record{.name = "squared_gaps",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 4}, {5, 4}}}, {{{2, 3, 2}, {2, 1, 2}}}},
                       .noun = "gaps",
                       .batch = batch::by_operands,
                       .cost = cost_rule};

}  // namespace attend::squared_gaps_primitive
