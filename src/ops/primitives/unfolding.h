// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "ops/images.h"
#include "ops/primitive.h"
#include "ops/shape.h"
#include "ops/text.h"

// What cutting an image into windows and its transpose share. Attributes of both: the window's rows
// and columns, the stride, the rows and columns of zeros above and to the left of the image, and
// two extents that shapes do not settle.
namespace attend::unfolding {

struct Windows {
  std::size_t kh, kw, stride, up, left;  // the window, and where the first one begins
  std::size_t rows, columns;             // how many windows
  std::size_t height, width, channels;   // the image
};

// `image` and `windows` are the shapes [.. H W C] and [.. rows columns kh*kw*C].
inline Windows windows(const Attributes& a, const Shape& image, const Shape& windows) {
  const auto at = [&](std::size_t i) { return static_cast<std::size_t>(a[i]); };
  return {at(0),
          at(1),
          at(2),
          at(3),
          at(4),
          windows.end()[-3],
          windows.end()[-2],
          image.end()[-3],
          image.end()[-2],
          image.end()[-1]};
}

// Calls visit(cell of the image, cell of the windows, count) for every row of every window, in their
// order: what of it lies inside the image is one run of numbers in both. Empty runs are left out.
template <class Visit>
void for_each_run(const Windows& w, Visit visit) {
  std::size_t to = 0;
  for (std::size_t i = 0; i < w.rows; ++i) {
    for (std::size_t j = 0; j < w.columns; ++j) {
      const std::size_t x = j * w.stride, end = w.left + w.width;
      const std::size_t first = x < w.left ? w.left - x : 0;  // of the window's columns inside
      const std::size_t last = end > x ? std::min(end - x, w.kw) : 0;
      for (std::size_t r = 0; r < w.kh; ++r, to += w.kw * w.channels) {
        const std::size_t y = i * w.stride + r;
        if (y < w.up || y - w.up >= w.height || first >= last) continue;
        visit(((y - w.up) * w.width + x + first - w.left) * w.channels, to + first * w.channels,
              (last - first) * w.channels);
      }
    }
  }
}

// How many numbers one image and all its windows have.
inline std::size_t in_image(const Windows& w) { return w.height * w.width * w.channels; }
inline std::size_t in_windows(const Windows& w) {
  return w.rows * w.columns * w.kh * w.kw * w.channels;
}

// Each is the other's gradient: the same windows, with the two extents that its operand had.
inline std::vector<Var> by_transpose(const Backward& b, const Primitive& transpose) {
  Attributes a{b.attributes.integers};
  a.integers[5] = static_cast<long>(b.in[0].shape().end()[-3]);
  a.integers[6] = static_cast<long>(b.in[0].shape().end()[-2]);
  return {apply(transpose, {b.gradient}, a)};
}

inline Var recorded(const Primitive& primitive, Var x, const ImageCut& cut, std::size_t first,
                    std::size_t second) {
  Attributes a;
  for (const std::size_t one : {cut.kh, cut.kw, cut.stride, cut.up, cut.left, first, second})
    a.integers.push_back(static_cast<long>(one));
  return apply(primitive, {x}, a);
}

inline Text python(const Expression& e, const char* name) {
  std::vector<Text> arguments{tensor_operand(e, 0)};
  for (std::size_t i = 0; i < 7; ++i) arguments.push_back({std::to_string(e.integer(i))});
  return python_call(name, arguments);
}

// [.. a b c] with other extents in the place of the last three.
inline Shape with_last(Shape shape, std::size_t a, std::size_t b, std::size_t c) {
  shape.end()[-3] = a;
  shape.end()[-2] = b;
  shape.end()[-1] = c;
  return shape;
}

}  // namespace attend::unfolding
