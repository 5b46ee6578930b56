// SPDX-License-Identifier: Apache-2.0
// Weighted sums of the differences of rows: g [.. m n], a [.. m p], b [.. n p] -> out[.., i] = sum_j g_ij (a_i - b_j).
// By columns (first attribute 1): g [.. m n], a [.. n p], b [.. m p] -> out[.., j] = sum_i g_ij (a_j - b_i).
// The differences themselves are added, so that rows which nearly coincide lose no digits. The gradient of squared
// distances consists of such sums.
#include <algorithm>

#include "ops/batch_rules.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/primitives/matrices.h"
#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend::gap_sums_primitive {
namespace {

bool by_columns(const Node& node) { return node.attributes[0] != 0; }

Shape shape(const std::vector<Shape>& in, const Attributes& attributes) {
  matrices::need_same_leading(in, "sums of differences");
  const std::size_t rows = attributes[0] != 0 ? 1 : 2;
  if (in[1].back() != in[2].back() || in[1].end()[-2] != in[0].end()[-static_cast<long>(rows)] ||
      in[2].end()[-2] != in[0].end()[-static_cast<long>(3 - rows)])
    refuse(
        "sums of differences need a row for each row and for each column of the weights, of equal widths; found "
        "shapes " +
        to_text(in[0]) + ", " + to_text(in[1]) + " and " + to_text(in[2]));
  return in[1];
}

// Weights of one row of the result and `count` rows of b.
struct Weights {
  const real* first;
  std::size_t step, count;
};

// `width` columns of one row of the result; the sums stay in registers.
template <std::size_t width>
void add_columns(const Weights& g, const real* a, const real* b, std::size_t p, real* out) {
  real sums[width] = {};
  for (std::size_t j = 0; j < g.count; ++j) {
    const real weight = g.first[j * g.step];
    for (std::size_t c = 0; c < width; ++c) sums[c] += weight * (a[c] - b[j * p + c]);
  }
  for (std::size_t c = 0; c < width; ++c) out[c] += sums[c];
}

void add_row(const Weights& g, const real* a, const real* b, std::size_t p, real* out) {
  std::size_t c = 0;
  for (; c + 16 <= p; c += 16) add_columns<16>(g, a + c, b + c, p, out + c);
  for (; c + 4 <= p; c += 4) add_columns<4>(g, a + c, b + c, p, out + c);
  for (; c < p; ++c) add_columns<1>(g, a + c, b + c, p, out + c);
}

void forward(const Forward& f) {
  // Few enough rows of b for their weights to stay in the cache where these are columns.
  constexpr std::size_t block = 256;
  const bool columns = by_columns(f.node);
  const std::size_t m = f.in_shapes[0]->end()[-2], n = f.in_shapes[0]->back(),
                    p = f.node.shape.back(), rows = columns ? n : m, others = columns ? m : n;
  std::fill_n(f.out, element_count(f.node.shape), real(0));
  for (std::size_t r = 0; r < matrices::count_of(f.node.shape); ++r) {
    const real *const g = f.in[0] + r * m * n, *const a = f.in[1] + r * rows * p,
                      *const b = f.in[2] + r * others * p;
    for (std::size_t j = 0; j < others; j += block) {
      const std::size_t count = std::min(block, others - j);
      for (std::size_t i = 0; i < rows; ++i) {
        const Weights weights =
            columns ? Weights{g + j * n + i, n, count} : Weights{g + i * n + j, 1, count};
        add_row(weights, a + i * p, b + j * p, p, f.out + (r * rows + i) * p);
      }
    }
  }
}

// Of g_ij the gradient is (a_i - b_j) . h_i, with h that of the result.
std::vector<Var> vjp(const Backward& b) {
  const Var g = b.in[0], x = b.in[1], y = b.in[2], h = b.gradient;
  const Var own = sum(x * h, -1, true);
  if (b.attributes[0] != 0)
    return {transpose(own) - matmul(y, h, false, true), transpose(sum(g, -2, true)) * h,
            -matmul(g, h)};
  return {own - matmul(h, y, false, true), sum(g, -1, true) * h, -matmul(g, h, true, false)};
}

Text latex(const Expression& e) {
  const bool columns = by_columns(e.node);
  const auto indexed = [&](std::size_t k, const char* index) {
    return e.in[k].at(Text::atom) + "_{" + index + "}";
  };
  return {std::string("\\sum_{") + (columns ? "i" : "j") + "} " + indexed(0, "ij") + " \\left(" +
              indexed(1, columns ? "j" : "i") + " - " + indexed(2, columns ? "i" : "j") +
              "\\right)",
          Text::product};
}

Text python(const Expression& e) {
  const auto operand = [&](std::size_t k) { return tensor_operand(e, k).at(Text::atom); };
  const bool columns = by_columns(e.node);
  const char *own = columns ? "[..., None, :, :]" : "[..., :, None, :]",
             *other = columns ? "[..., :, None, :]" : "[..., None, :, :]";
  return {"(" + operand(0) + "[..., None] * (" + operand(1) + own + " - " + operand(2) + other +
          ")).sum(" + (columns ? "-3" : "-2") + ")"};
}

Text cell(const CellQuery& q) {
  const bool columns = by_columns(q.node);
  const std::size_t m = q.in_shapes[0]->end()[-2], n = q.in_shapes[0]->back(),
                    p = q.node.shape.back(), rows = columns ? n : m, others = columns ? m : n;
  const std::size_t c = q.flat % p, i = q.flat / p % rows, r = q.flat / (p * rows);
  std::vector<Text> terms;
  for (std::size_t j = 0; j < others; ++j) {
    const Text weight = q.operand(0, r * m * n + (columns ? j * n + i : i * n + j)),
               a = q.operand(1, q.flat), b = q.operand(2, (r * others + j) * p + c);
    terms.push_back(
        {weight.at(Text::product) + " \\cdot \\left(" + a.text + " - " + as_addend(b) + "\\right)",
         Text::product});
  }
  return joined(terms, " + ", Text::sum);
}

Cost cost_rule(const Sizes& s) {
  Cost cost = cost::moved(s);
  cost.multiply_adds = 2 * cost::cells(*s.in[0]) * s.node.shape.back();
  return cost;
}

}  // namespace

const Primitive record{.name = "gap_sums",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 5}, {3, 4}, {5, 4}}, {{0}}},
                                   {{{3, 5}, {5, 4}, {3, 4}}, {{1}}},
                                   {{{2, 3, 2}, {2, 3, 21}, {2, 2, 21}}, {{0}}},
                                   {{{2, 3, 2}, {2, 2, 21}, {2, 3, 21}}, {{1}}}},
                       .noun = "gaps",
                       .batch = batch::by_operands,
                       .cost = cost_rule};

}  // namespace attend::gap_sums_primitive
