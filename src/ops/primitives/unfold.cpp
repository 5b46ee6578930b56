// SPDX-License-Identifier: Apache-2.0
// The windows of an image, each laid out as one row (row, column, channel; zeros outside):
// [.. H W C] -> [.. rows columns kh*kw*C]. A convolution is the product of this with a kernel.
// Attributes: kh, kw, stride, zeros above, zeros to the left, rows, columns.
#include <algorithm>

#include "ops/batch_rules.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives/records.h"
#include "ops/primitives/unfolding.h"
#include "ops/text.h"

namespace attend::unfold_primitive {
namespace {

Shape shape(const std::vector<Shape>& in, const Attributes& a) {
  if (in[0].size() < 3) refuse("an image has the shape [H W C], found " + to_text(in[0]));
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(a[i]); };
  return unfolding::with_last(in[0], at(5), at(6), at(0) * at(1) * in[0].back());
}

void forward(const Forward& f) {
  const unfolding::Windows w = unfolding::windows(f.node.attributes, *f.in_shapes[0], f.node.shape);
  const std::size_t image = unfolding::in_image(w), cut = unfolding::in_windows(w);
  const std::size_t images = cut == 0 ? 0 : element_count(f.node.shape) / cut;
  for (std::size_t k = 0; k < images; ++k) {
    const real* from = f.in[0] + k * image;
    real* to = f.out + k * cut;
    std::size_t done = 0;  // every number is written once: zeros between the runs
    unfolding::for_each_run(w, [&](std::size_t x, std::size_t y, std::size_t count) {
      std::fill(to + done, to + y, real{0});
      std::copy_n(from + x, count, to + y);
      done = y + count;
    });
    std::fill(to + done, to + cut, real{0});
  }
}

std::vector<Var> vjp(const Backward& b) { return unfolding::by_transpose(b, primitives::fold); }

Text latex(const Expression& e) { return latex_call("\\operatorname{unfold}", {e.in[0]}); }

Text python(const Expression& e) { return unfolding::python(e, "unfold"); }

Text cell(const CellQuery& q) {
  const Shape& image = *q.in_shapes[0];
  const unfolding::Windows w = unfolding::windows(q.node.attributes, image, q.node.shape);
  const std::vector<std::size_t> at = unravel(q.flat, q.node.shape);
  const std::size_t channel = at.end()[-1] % w.channels, place = at.end()[-1] / w.channels;
  const std::size_t y = at.end()[-3] * w.stride + place / w.kw;
  const std::size_t x = at.end()[-2] * w.stride + place % w.kw;
  if (y < w.up || x < w.left || y - w.up >= w.height || x - w.left >= w.width)
    return number_text(0);
  std::vector<std::size_t> from = at;
  from.end()[-3] = y - w.up;
  from.end()[-2] = x - w.left;
  from.end()[-1] = channel;
  return q.operand(0, ravel(from, image));
}

// Places outside the image are not read, and some inside are read several times.
Cost cost_rule(const Sizes& s) {
  const std::uint64_t written = cost::cells(s.node.shape);
  return {.bytes = (written + std::min(written, cost::cells(*s.in[0]))) * sizeof(real),
          .exact = false};
}

}  // namespace

const Primitive record{
    .name = "unfold",
    .shape = shape,
    .forward = forward,
    .vjp = vjp,
    .latex = latex,
    .python = python,
    .cell = cell,
    .samples = {{{{4, 3, 2}}, {{3, 3, 1, 1, 1, 4, 3}}}, {{{2, 5, 4, 1}}, {{2, 3, 2, 0, 1, 2, 2}}}},
    .noun = "windows",
    .batch = batch::by_operands,
    .cost = cost_rule};

}  // namespace attend::unfold_primitive

namespace attend {

Var unfold(Var image, const ImageCut& cut) {
  return unfolding::recorded(primitives::unfold, image, cut, cut.rows, cut.columns);
}

}  // namespace attend
