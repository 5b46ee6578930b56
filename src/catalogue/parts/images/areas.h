// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "catalogue/modules.h"

// Area attention: rectangles of a grid as keys.
namespace attend {

struct Area {
  std::size_t top, left, height, width;
};

// All rectangles of a grid up to a size, by top, left, height, width.
std::vector<Area> areas_of(std::size_t rows, std::size_t columns, std::size_t highest,
                           std::size_t widest);

// Lets the queries [m dk] attend to areas of grids [H W dk] and [H W dv], by the structure's own score and
// alignment.
Tensors attend_to_areas(const Scope& in, Var q, Var key, Var value, const std::vector<Area>& areas);

// The tokens of an area of a line, joined; empty without tokens.
std::string words_of_area(const std::vector<std::string>& tokens, const Area& area);

}  // namespace attend
