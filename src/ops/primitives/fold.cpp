// SPDX-License-Identifier: Apache-2.0
// The transpose of unfold: every window's numbers added up at their places,
// [.. rows columns kh*kw*C] -> [.. H W C]; what lies outside the image is dropped.
// Attributes: kh, kw, stride, zeros above, zeros to the left, H, W.
#include <algorithm>

#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unfolding.h"
#include "ops/text.h"

namespace attend::fold_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(a[i]); };
  const std::size_t window = at(0) * at(1);
  if (in[0].size() < 3 || window == 0 || in[0].back() % window != 0)
    refuse("windows of " + std::to_string(window) + " positions have the shape [rows columns " +
           std::to_string(window) + "*C], found " + to_text(in[0]));
  return unfolding::with_last(in[0], at(5), at(6), in[0].back() / window);
}

void forward(const Forward& f) {
  const unfolding::Windows w = unfolding::windows(f.node.attributes, f.node.shape, *f.in_shapes[0]);
  const std::size_t image = unfolding::in_image(w), cut = unfolding::in_windows(w);
  const std::size_t images = image == 0 ? 0 : element_count(f.node.shape) / image;
  std::fill_n(f.out, images * image, real{0});
  for (std::size_t k = 0; k < images; ++k) {
    const real* from = f.in[0] + k * cut;
    real* to = f.out + k * image;
    unfolding::for_each_run(w, [&](std::size_t x, std::size_t y, std::size_t count) {
      for (std::size_t c = 0; c < count; ++c) to[x + c] += from[y + c];
    });
  }
}

std::vector<Var> vjp(const Backward& b) { return unfolding::by_transpose(b, primitives::unfold); }

Text latex(const Expression& e) { return latex_call("\\operatorname{fold}", {e.in[0]}); }

Text python(const Expression& e) { return unfolding::python(e, "fold"); }

Text cell(const CellQuery& q) {
  const Shape& windows = *q.in_shapes[0];
  const unfolding::Windows w = unfolding::windows(q.node.attributes, q.node.shape, windows);
  const std::size_t image = unfolding::in_image(w),
                    cut = element_count(windows) /
                          std::max<std::size_t>(1, element_count(q.node.shape) / image);
  const std::size_t inside = q.flat % image;
  std::vector<Text> terms;
  unfolding::for_each_run(w, [&](std::size_t x, std::size_t y, std::size_t count) {
    if (x <= inside && inside < x + count)
      terms.push_back(q.operand(0, q.flat / image * cut + y + inside - x));
  });
  return terms.empty() ? number_text(0) : joined(terms, " + ", Text::sum);
}

// What lies outside the image is not read.
Cost cost_rule(const Sizes& s) {
  Cost cost = cost::by_operand(s);
  cost.exact = false;
  return cost;
}

}  // namespace

const Primitive record{
    .name = "fold",
    .shape = shape,
    .forward = forward,
    .vjp = vjp,
    .latex = latex,
    .python = python,
    .cell = cell,
    .samples = {{{{4, 3, 18}}, {{3, 3, 1, 1, 1, 4, 3}}}, {{{2, 2, 2, 6}}, {{2, 3, 2, 0, 1, 5, 4}}}},
    .noun = "folded",
    .batch = batch::by_operands,
    .cost = cost_rule};

}  // namespace attend::fold_primitive

namespace attend {

Var fold(Var windows, const ImageCut& cut, std::size_t H, std::size_t W) {
  return unfolding::recorded(primitives::fold, windows, cut, H, W);
}

}  // namespace attend
