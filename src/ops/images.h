// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

// Images in the graph, [.. H W C]: windows, and what is made of them. Places outside are 0.
namespace attend {

// How an image is cut into windows.
struct ImageCut {
  std::size_t kh, kw, stride = 1;  // the window
  std::size_t up = 0, left = 0;    // rows and columns of zeros before the image
  std::size_t rows, columns;       // how many windows
};
// Windows around every stride-th place, each with its place at ((kh-1)/2, (kw-1)/2).
ImageCut centred(std::size_t H, std::size_t W, std::size_t kh, std::size_t kw,
                 std::size_t stride = 1);
// Windows inside the image only.
ImageCut inside(std::size_t H, std::size_t W, std::size_t kh, std::size_t kw, std::size_t stride);

Var unfold(Var image, const ImageCut& cut);  // [.. H W C] -> [.. rows columns kh*kw*C]
Var fold(Var windows, const ImageCut& cut, std::size_t H, std::size_t W);  // its transpose

// Cross-correlation: image [H W C], kernel [kh kw C D] -> [rows columns D].
Var convolve(Var image, Var kernel, const ImageCut& cut);
// Its transpose: [rows columns C] with kernel [kh kw C D] -> [H W D].
Var deconvolve(Var image, Var kernel, const ImageCut& cut, std::size_t H, std::size_t W);
// The largest number of each channel in windows inside the image: [rows columns C].
Var max_pool(Var image, std::size_t size, std::size_t stride);
// Bilinear, as if both images covered the same square: [H W C] -> [rows columns C].
Var resized(Var image, std::size_t rows, std::size_t columns);

}  // namespace attend
