// SPDX-License-Identifier: Apache-2.0
#include "ops/images.h"

#include "ops/compose.h"
#include "ops/error.h"

namespace attend {

ImageCut centred(std::size_t H, std::size_t W, std::size_t kh, std::size_t kw, std::size_t stride) {
  return {kh, kw, stride, (kh - 1) / 2, (kw - 1) / 2, (H - 1) / stride + 1, (W - 1) / stride + 1};
}

ImageCut inside(std::size_t H, std::size_t W, std::size_t kh, std::size_t kw, std::size_t stride) {
  if (kh > H || kw > W)
    refuse("a window of " + std::to_string(kh) + " by " + std::to_string(kw) +
           " does not fit an image of " + std::to_string(H) + " by " + std::to_string(W));
  return {kh, kw, stride, 0, 0, (H - kh) / stride + 1, (W - kw) / stride + 1};
}

Var convolve(Var image, Var kernel, const ImageCut& cut) {
  const std::size_t C = image.extent(-1), D = kernel.extent(-1), taps = cut.kh * cut.kw * C;
  const Var rows = reshape(unfold(image, cut), {cut.rows * cut.columns, taps});
  return reshape(matmul(rows, reshape(kernel, {taps, D})), {cut.rows, cut.columns, D});
}

Var deconvolve(Var image, Var kernel, const ImageCut& cut, std::size_t H, std::size_t W) {
  const std::size_t C = image.extent(-1), D = kernel.extent(-1);
  // [kh*kw C D] -> [C kh*kw*D]: what each channel writes around its place
  const Var stamps = reshape(permute(reshape(kernel, {cut.kh * cut.kw, C, D}), {1, 0, 2}),
                             {C, cut.kh * cut.kw * D});
  const Var windows = matmul(reshape(image, {cut.rows * cut.columns, C}), stamps);
  return fold(reshape(windows, {cut.rows, cut.columns, cut.kh * cut.kw * D}), cut, H, W);
}

Var max_pool(Var image, std::size_t size, std::size_t stride) {
  const ImageCut cut = inside(image.extent(-3), image.extent(-2), size, size, stride);
  const Var windows = unfold(image, cut);
  return max(reshape(windows, {cut.rows, cut.columns, size * size, image.extent(-1)}), -2);
}

namespace {
// [to from]: what each of `to` places takes of `from`, both spread evenly over one length.
Var interpolation(Graph& graph, std::size_t from, std::size_t to) {
  const double ratio = static_cast<double>(from) / static_cast<double>(to);
  const Var place = clip((iota(graph, to, 2) + .5) * ratio - .5, 0, static_cast<double>(from - 1));
  return relu(1 - absolute(place - iota(graph, from)));
}
}  // namespace

Var resized(Var image, std::size_t rows, std::size_t columns) {
  const std::size_t H = image.extent(-3), W = image.extent(-2), C = image.extent(-1);
  Graph& graph = image.graph();
  const Var tall = matmul(interpolation(graph, H, rows), reshape(image, {H, W * C}));
  return matmul(interpolation(graph, W, columns), reshape(tall, {rows, W, C}));
}

}  // namespace attend
