// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/images/glimpse.h"

#include <cmath>
#include <vector>

namespace attend {
namespace {

// [g size]: each of g cells takes the mean of `wide` places in a row, the first from `start` on;
// places outside are 0.
Var means(Var start, std::size_t g, std::size_t wide, std::size_t size) {
  Graph& graph = start.graph();
  const double width = static_cast<double>(wide);
  const Var from = start + iota(graph, g, 2) * width;  // [g 1]
  const Var place = iota(graph, size);                 // [size]
  return greater(place, from - .5) * greater(from + (width - .5), place) / width;
}

}  // namespace

Glimpse glimpse(Var image, Var place, std::size_t k, std::size_t g) {
  const auto centre = [&](std::size_t axis, std::size_t size) {
    const Var at = slice(place, -1, axis, axis + 1);  // [1 1]
    return floor((at + 1) * (static_cast<double>(size - 1) / 2) + .5);
  };
  const Var row = let("y", centre(0, image.extent(0))),
            column = let("x", centre(1, image.extent(1)));
  std::vector<Var> crops;
  for (std::size_t s = 0; s < k; ++s) {
    const std::size_t wide = std::size_t{1} << s;
    const double half = static_cast<double>(g * wide / 2);
    const StepSuffix suffix(image.graph(), "_{" + std::to_string(s) + "}");
    const Var down = let("S_y", means(row - half, g, wide, image.extent(0)));       // [g H]
    const Var across = let("S_x", means(column - half, g, wide, image.extent(1)));  // [g W]
    crops.push_back(expand(matmul(matmul(down, image), across, false, true), 0));   // [1 g g]
  }
  return {concat({row, column}, -1), concat(crops, 0)};
}

Array glimpse_by_loops(const Array& image, double row, double column, long k, long g) {
  const long H = long(image.rows()), W = long(image.cols());
  const long y = std::lround(std::floor((row + 1) / 2 * double(H - 1) + .5));
  const long x = std::lround(std::floor((column + 1) / 2 * double(W - 1) + .5));
  Array out({std::size_t(k), std::size_t(g), std::size_t(g)});
  for (long s = 0; s < k; ++s) {
    const long wide = 1L << s, top = y - g * wide / 2, left = x - g * wide / 2;
    for (long i = 0; i < g * wide; ++i)
      for (long j = 0; j < g * wide; ++j)
        if (top + i >= 0 && left + j >= 0 && top + i < H && left + j < W)
          out(s, i / wide, j / wide) += image(top + i, left + j) / double(wide * wide);
  }
  return out;
}

}  // namespace attend
