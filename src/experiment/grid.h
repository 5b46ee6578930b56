// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/text/json_parse.h"

namespace attend {

// A document, and lists of values at paths in it: every combination is a cell. The first path changes slowest.
class Grid {
 public:
  static constexpr std::size_t most_cells = 100'000;

  // {"document": {..}, "grid": {"/training/optimiser/rate": [..], "/seed": [..]}}. Throws Error with the path of what
  // is wrong.
  explicit Grid(Json json);

  [[nodiscard]] std::size_t cells() const { return cells_; }
  // The values of a cell, by path.
  [[nodiscard]] Json values(std::size_t cell) const;
  // The document of a cell.
  [[nodiscard]] Json document(std::size_t cell) const;

 private:
  struct Axis {
    std::string path;
    std::vector<Json> values;
  };
  Json document_;
  std::vector<Axis> axes_;
  std::size_t cells_ = 1;
};

// Computes one cell: trains its document, or runs it where it has no `training`. One JSON object on one line, with
// the cell's values and its `result`, or the `error`.
std::string line_of_cell(const Grid& grid, std::size_t cell);

}  // namespace attend
