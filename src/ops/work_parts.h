// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

// A long computation in parts, so that whoever waits for it can stop between two of them.
namespace attend {

struct WorkPart {
  std::size_t first_item, last_item;  // the last ones do not belong to it
  std::size_t first_row, last_row;    // of each of these items
};

// `items` independent results of `rows` rows each. A part has several small items, or some rows of a large one: whole
// multiples of `unit`, and never a single row at the end, because the product of one row is computed in another order.
class WorkParts {
 public:
  WorkParts(std::size_t items, std::size_t rows, std::size_t multiply_adds_of_row, std::size_t unit)
      : items_(items), all_rows_(rows), rows_(rows) {
    const std::size_t row = std::max<std::size_t>(multiply_adds_of_row, 1);
    if (rows == 0 || rows <= most / row) {
      together_ = std::max<std::size_t>(most / std::max<std::size_t>(rows * row, 1), 1);
      return;
    }
    rows_ = std::min(rows, (std::max<std::size_t>(most / row, 1) + unit - 1) / unit * unit);
    while (rows_ < rows && rows % rows_ == 1) rows_ += unit;
    if (rows_ < rows) blocks_ = (rows + rows_ - 1) / rows_;
  }

  [[nodiscard]] std::size_t count() const {
    const std::size_t groups = items_ / together_ + (items_ % together_ != 0 ? 1 : 0);
    return std::max<std::size_t>(groups * blocks_, 1);
  }
  [[nodiscard]] WorkPart operator[](std::size_t part) const {
    const std::size_t item = part / blocks_ * together_, row = part % blocks_ * rows_;
    return {item, std::min(item + std::min(together_, items_ - item), items_), row,
            std::min(row + rows_, all_rows_)};
  }

 private:
  static constexpr std::size_t most = std::size_t{1} << 27U;  // multiply-adds: some milliseconds
  std::size_t items_, all_rows_, rows_, together_ = 1, blocks_ = 1;
};

}  // namespace attend
