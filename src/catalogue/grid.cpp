// SPDX-License-Identifier: Apache-2.0
#include "catalogue/grid.h"

#include <vector>

namespace attend {

Grid grid_of(const Scope& in, std::string_view port) {
  const Var image = in.need(port);
  const Shape& shape = image.shape();
  if (shape.size() != 2 && shape.size() != 3)
    refuse(in.source_of(port),
           "expected an image [H W C], or a grey one [H W]; found " + to_text(shape));
  return {shape[0], shape[1], shape.size() == 3 ? shape[2] : 1};
}

ModuleIn sized_by_image(const ModuleIn& in, const Grid& grid, Dimensions more) {
  more.set("H", grid.H);
  more.set("W", grid.W);
  more.set("C", grid.C);
  return {in.sized(more)};
}

Var places_of(Var image, const Grid& grid) { return reshape(image, {grid.places(), grid.C}); }

Var image_from(Var places, const Grid& grid) {
  return reshape(places, {grid.H, grid.W, places.extent(-1)});
}

Var place_rows(Graph& graph, const Grid& grid) {
  return reshape(broadcast_to(iota(graph, grid.H, 2), {grid.H, grid.W}), {grid.places(), 1});
}

Var place_columns(Graph& graph, const Grid& grid) {
  return reshape(broadcast_to(iota(graph, grid.W), {grid.H, grid.W}), {grid.places(), 1});
}

namespace {
// Zeros before and after along an axis of x.
Var padded(Var x, long axis, std::size_t before, std::size_t after) {
  std::vector<Var> pieces{x};
  Shape border = x.shape();
  const std::size_t at = axis_index(axis, border.size());
  if (before > 0) {
    border[at] = before;
    pieces.insert(pieces.begin(), zeros(x.graph(), border));
  }
  if (after > 0) {
    border[at] = after;
    pieces.push_back(zeros(x.graph(), border));
  }
  return pieces.size() == 1 ? x : concat(pieces, axis);
}
}  // namespace

Var convolved(Var image, Var kernel) {
  const std::size_t H = image.extent(0), W = image.extent(1), C = image.extent(2);
  const std::size_t kh = kernel.extent(0), kw = kernel.extent(1), D = kernel.extent(3);
  const std::size_t up = (kh - 1) / 2, left = (kw - 1) / 2;
  const Var wide = padded(padded(image, 0, up, kh - 1 - up), 1, left, kw - 1 - left);
  const Var taps = reshape(kernel, {kh * kw, C, D});
  Var all;
  for (std::size_t r = 0; r < kh; ++r) {
    for (std::size_t s = 0; s < kw; ++s) {
      const Var shifted = slice(slice(wide, 0, r, r + H), 1, s, s + W);
      const std::size_t tap = r * kw + s;
      const Var term =
          matmul(reshape(shifted, {H * W, C}), squeeze(slice(taps, 0, tap, tap + 1), 0));
      all = all ? all + term : term;
    }
  }
  return all;
}

}  // namespace attend
