// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"
#include "ops/images.h"

// Images as rows of places: [H W C] (or grey, [H W]) with the places row by row.
namespace attend {

struct Grid {
  std::size_t height, width, channels;
  [[nodiscard]] std::size_t places() const { return height * width; }
};

// The sizes of the image that a port gets; an error unless it is one.
Grid grid_of(const Scope& in, const Tensors& inputs, std::string_view port);
// The module with H, W and C settled by the image, and what its other ports settle.
Scope sized_by_image(const Scope& in, const Grid& grid, Dimensions more = {});

Var with_channels(Var image, const Grid& grid);  // [H W C], also of a grey image
Var places_of(Var image, const Grid& grid);      // [H W C] -> [H*W C]
Var image_from(Var places, const Grid& grid);    // [H*W c] -> [H W c]
// The row, and the column, of each place: [H*W 1].
Var place_rows(Graph& graph, const Grid& grid);
Var place_columns(Graph& graph, const Grid& grid);

}  // namespace attend
