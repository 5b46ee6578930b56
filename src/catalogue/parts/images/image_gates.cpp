// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/images/image_gates.h"

#include <algorithm>

#include "catalogue/parts/images/grid.h"

namespace attend {

Var channel_gate(const Scope& in, Var image) {
  const Var W1 = in.param("W1"), W2 = in.param("W2");
  const Var places = reshape(image, {image.extent(0) * image.extent(1), image.extent(2)});
  const auto through = [&](Var z) { return matmul(relu(matmul(z, W1)), W2); };  // [1 C]
  const Var average = let("\\bar{x}", mean(places, -2, true));
  const Var largest = let("x_{\\max}", max(places, -2, true));
  return let("s", sigmoid(through(average) + through(largest)));
}

Var spatial_gate(const Scope& in, Var image) {
  const Var kernel = in.param("kernel");
  const Var both = let("[\\bar{x}; x_{\\max}]",
                       concat({mean(image, -1, true), max(image, -1, true)}, -1));  // [H W 2]
  const Shape taps{kernel.extent(0), kernel.extent(1), 2, 1};
  const ImageCut cut = centred(image.extent(0), image.extent(1), taps[0], taps[1]);
  return let("M", sigmoid(convolve(both, reshape(kernel, taps), cut)));
}

Array channel_gate_by_loops(const Array& image, const Array& W1, const Array& W2) {
  const std::size_t H = image.shape[0], W = image.shape[1], C = image.shape[2];
  Row average(C, 0), largest(C, -1e300);
  for (std::size_t y = 0; y < H; ++y)
    for (std::size_t x = 0; x < W; ++x)
      for (std::size_t c = 0; c < C; ++c) {
        average[c] += image(y, x, c) / double(H * W);
        largest[c] = std::max(largest[c], image(y, x, c));
      }
  Array gate({1, C});
  for (const Row& z : {average, largest}) {
    Row hidden = mapped(z, W1);
    for (double& number : hidden) number = std::max(0.0, number);
    const Row out = mapped(hidden, W2);
    for (std::size_t c = 0; c < C; ++c) gate(c) += out[c];
  }
  for (double& number : gate.data) number = activate("sigmoid", number);
  return gate;
}

Array spatial_gate_by_loops(const Array& image, const Array& kernel) {
  const std::size_t H = image.shape[0], W = image.shape[1], C = image.shape[2];
  const std::size_t k = kernel.shape[0];
  const long reach = long(k - 1) / 2;
  Array gate({H, W});
  for (std::size_t y = 0; y < H; ++y) {
    for (std::size_t x = 0; x < W; ++x) {
      double sum = 0;
      for (std::size_t r = 0; r < k; ++r) {
        for (std::size_t s = 0; s < k; ++s) {
          const long row = long(y + r) - reach, column = long(x + s) - reach;
          if (row < 0 || column < 0 || row >= long(H) || column >= long(W)) continue;
          double average = 0, largest = -1e300;
          for (std::size_t c = 0; c < C; ++c) {
            average += image(row, column, c) / double(C);
            largest = std::max(largest, image(row, column, c));
          }
          sum += average * kernel(r, s, 0) + largest * kernel(r, s, 1);
        }
      }
      gate(y, x) = activate("sigmoid", sum);
    }
  }
  return gate;
}

Array coloured(Array image) {
  if (image.shape.size() == 2) image.shape.push_back(1);
  return image;
}

}  // namespace attend
