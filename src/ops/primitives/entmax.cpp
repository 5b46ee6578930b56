// SPDX-License-Identifier: Apache-2.0
// Alpha-entmax of rows, with or without a mask. One primitive, so that the threshold is found by
// iteration in double, and the gradient is the closed form on the support:
//   da/dx = diag(g) - g g^T / sum g,  g = a^{2 - alpha} where a > 0
// Peters, Niculae, Martins 2019 (arXiv:1905.05702), Correia, Niculae, Martins 2019
// (arXiv:1909.00015).
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/rows.h"
#include "kernels/scratch.h"
#include "ops/batch_rules.h"
#include "ops/broadcast_loop.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/text.h"
#include "ops/work_parts.h"

namespace attend::entmax_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes&) {
  if (in[0].empty() || in[0].back() == 0) refuse("entmax needs at least one entry per row");
  for (std::size_t k = 1; k < in.size(); ++k) {
    const bool one_a_row = k == 2 || in[k].empty() || in[k].back() == 1;
    if (one_a_row && broadcast_shapes(in[0], in[k]) == in[0]) continue;
    refuse(std::string(k == 1 ? "an alpha" : "a mask") + " of shape " + to_text(in[k]) +
           " does not fit scores of shape " + to_text(in[0]));
  }
  return in[0];
}

// Each step of the search takes a logarithm and an exponential of each entry that is near enough to the best. How many
// steps there are depends on the scores and on alpha: scores that differ leave few entries, equal ones need two steps,
// and scores that are nearly equal need about four steps that read every entry, and up to twenty if alpha is above 2.
// Measured for 64 to 8192 entries, eight take as long as most of these; only nearly equal scores at an alpha of about
// 2.5 take up to four times as long.
constexpr std::uint64_t usual_rounds = 8;

WorkParts parts_of(const Shape& whole) {
  constexpr std::size_t of_entry = 128;  // as multiply-adds
  return {element_count(whole) / whole.back(), 1, of_entry * whole.back(), 1};
}

std::size_t parts(const Sizes& s) { return parts_of(s.node.shape).count(); }

void forward(const Forward& f) {
  const Shape& whole = *f.in_shapes[0];
  const std::size_t cols = whole.back();
  const bool masked = f.in.size() == 3;
  const bool by_key = masked && !f.in_shapes[2]->empty() && f.in_shapes[2]->back() == cols;
  kernels::Scratch<real> one(masked && !by_key ? cols : 0);
  const WorkPart part = parts_of(whole)[f.part];
  for (std::size_t row = part.first_item; row < part.last_item; ++row) {
    const std::size_t at = row * cols;
    const auto r = static_cast<double>(f.in[1][broadcast_position(at, *f.in_shapes[1], whole)]);
    const real* allowed = nullptr;
    if (masked) allowed = f.in[2] + broadcast_position(at, *f.in_shapes[2], whole);
    if (masked && !by_key) {
      std::fill_n(one.data(), cols, *allowed);
      allowed = one.data();
    }
    if (r == 0) {  // alpha = 1 is softmax, to the last bit
      kernels::softmax_rows(f.in[0] + at, allowed, 0, f.out + at, 1, cols);
    } else {
      kernels::entmax_row(f.in[0] + at, allowed, r, f.out + at, cols);
    }
  }
}

Var positive_or_one(Var x) { return where(greater(x, scalar(x, 0)), x, scalar(x, 1)); }

// a w with w = (e^t - 1 - t) / r^2, t = -r log a: by its series where the difference would cancel.
Var curvature(Var a, Var g, Var log_a, Var r) {
  const Var t = -(r * log_a);
  Var series = scalar(a, 0);
  double factorial = 1;
  for (int k = 2; k <= 15; ++k) factorial *= k;
  for (int k = 15; k >= 2; --k) {
    series = series * t + 1 / factorial;
    factorial /= k;
  }
  const Var square = positive_or_one(r * r);
  return where(greater(scalar(t, .5), t), a * log_a * log_a * series, (g - a - a * t) / square);
}

std::vector<Var> vjp(const Backward& b) {
  const Var a = b.out, r = b.in[1], zero = scalar(a, 0);
  const Var support = greater(a, zero);
  const Var log_a = log(where(support, a, scalar(a, 1)));
  // Beyond r = 1 small weights have large slopes: they are kept within the numbers' range.
  const double limit = std::log(static_cast<double>(std::numeric_limits<real>::max())) - 12;
  const Var g = support * exp(clip((1 - r) * log_a, -limit, limit));
  const Var total = positive_or_one(sum(g, -1, true));
  // Measured from the entry with the largest slope, so that its share does not cancel the others.
  const Var v = b.gradient - take(b.gradient, argmax(g, -1, true));
  const Var by_x = g * (v - sum(g / total * v, -1, true));
  // da/dr = (a (1 - r log a) W - (1 - r sum a log a) a w) / sum g,  W = sum a w: the formula of
  // Correia et al. with what cancels for small r taken out.
  const Var aw = curvature(a, g, log_a, r);
  const Var mean_log = sum(a * log_a, -1, true);
  const Var by_r = (a * (1 - r * log_a) * sum(aw, -1, true) - (1 - r * mean_log) * aw) / total;
  std::vector<Var> gradients{by_x, sum_to(b.gradient * by_r, r.shape())};
  if (b.in.size() == 3) gradients.emplace_back();
  return gradients;
}

Text latex(const Expression& e) {
  const std::string mask = e.in.size() == 3 ? ",\\," + e.in[2].text : "";
  return latex_call("\\operatorname{entmax}_{1 + " + e.in[1].text + mask + "}", {e.in[0]});
}

Text python(const Expression& e) {
  std::vector<Text> arguments;
  for (std::size_t k = 0; k < e.in.size(); ++k) arguments.push_back(tensor_operand(e, k));
  return python_call("entmax", arguments);
}

// The row's largest weight p, times a power of how far the cell lies below the best score.
Text cell(const CellQuery& q) {
  const Shape& whole = *q.in_shapes[0];
  const std::size_t cols = whole.back(), start = q.flat / cols * cols;
  std::vector<real> x(cols), mask(cols, 1), out(cols);
  std::size_t best = cols;
  std::vector<Text> terms;
  for (std::size_t j = 0; j < cols; ++j) {
    terms.push_back(q.operand(0, start + j));
    x[j] = static_cast<real>(q.value(0, start + j));
    if (q.in_shapes.size() == 3)
      mask[j] =
          static_cast<real>(q.value(2, broadcast_position(start + j, *q.in_shapes[2], whole)));
    if (mask[j] != 0 && (best == cols || x[j] > x[best])) best = j;
  }
  const std::size_t at = broadcast_position(start, *q.in_shapes[1], whole);
  const Text r = q.operand(1, at);
  const double value = q.value(1, at);
  const double p = kernels::entmax_row(x.data(), mask.data(), value, out.data(), cols).largest;
  const std::size_t j = q.flat - start;
  if (out[j] == 0) return {"0"};
  const Text top = number_text(p);
  if (j == best) return {top.text, top.binding};
  const std::string gap = terms[j].text + " - " + as_factor(terms[best]);
  if (value == 0) return {top.text + " \\cdot e^{" + gap + "}", Text::product};
  return {top.text + " \\cdot \\left(1 + " + r.at(Text::product) + " \\cdot \\frac{" + gap + "}{" +
              raised(top, r.text) + "}\\right)^{1 / " + as_factor(r) + "}",
          Text::product};
}

Cost cost_rule(const Sizes& s) {
  constexpr std::uint64_t rounds = kernels::entmax_most_steps + 3, rare = rounds - usual_rounds;
  const std::uint64_t cells = cost::cells(s.node.shape), rows = cells / s.node.shape.back();
  Cost cost = cost::moved(s);
  cost.multiply_adds = 8 * rounds * cells;
  cost.exponentials = 2 * rounds * (cells + rows);
  cost.exact = false;
  cost.rare_multiply_adds = 8 * rare * cells;
  cost.rare_exponentials = 2 * rare * (cells + rows);
  return cost;
}

}  // namespace

const Primitive record{.name = "entmax",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 4}, {}}, {}, .2, .7},
                                   {{{2, 3, 4}, {2, 1, 1}}, {}, .2, .7},
                                   {{{3, 5}, {3, 1}, {3, 5}}, {}, .2, .7, false, 2},
                                   {{{3, 4}, {1, 1}, {4}}, {}, .2, .7, false, 2}},
                       .keeps_rows = true,
                       .batch = batch::by_first,
                       .cost = cost_rule,
                       .parts = parts};

}  // namespace attend::entmax_primitive

namespace attend {

Var entmax(Var x, Var r, Var mask) {
  return mask ? x.graph().record(primitives::entmax, {x, r, mask}, {})
              : x.graph().record(primitives::entmax, {x, r}, {});
}

}  // namespace attend
