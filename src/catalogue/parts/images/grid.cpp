// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/images/grid.h"

namespace attend {

Grid grid_of(const Scope& in, const Tensors& inputs, std::string_view port) {
  const Var image = inputs[port];
  const Shape& shape = image.shape();
  if (shape.size() != 2 && shape.size() != 3)
    refuse(in.source_of(port),
           "expected an image [H W C], or a grey one [H W]; found " + to_text(shape));
  return {shape[0], shape[1], shape.size() == 3 ? shape[2] : 1};
}

Scope sized_by_image(const Scope& in, const Grid& grid, Dimensions more) {
  more.set("H", grid.height);
  more.set("W", grid.width);
  more.set("C", grid.channels);
  return in.sized(more);
}

Var with_channels(Var image, const Grid& grid) {
  return image.rank() == 3 ? image : reshape(image, {grid.height, grid.width, grid.channels});
}

Var places_of(Var image, const Grid& grid) {
  return reshape(image, {grid.places(), grid.channels});
}

Var image_from(Var places, const Grid& grid) {
  return reshape(places, {grid.height, grid.width, places.extent(-1)});
}

Var place_rows(Graph& graph, const Grid& grid) {
  return reshape(broadcast_to(iota(graph, grid.height, 2), {grid.height, grid.width}),
                 {grid.places(), 1});
}

Var place_columns(Graph& graph, const Grid& grid) {
  return reshape(broadcast_to(iota(graph, grid.width), {grid.height, grid.width}),
                 {grid.places(), 1});
}

}  // namespace attend
