// SPDX-License-Identifier: Apache-2.0
#include "training/drawing.h"

namespace attend {

Drawing::Drawing(std::size_t rows, std::size_t columns, std::size_t channels)
    : rows_(rows),
      columns_(columns),
      channels_(channels),
      shape_(channels == 1 ? Shape{rows, columns} : Shape{rows, columns, channels}),
      numbers_(rows * columns * channels, 0) {}

std::vector<std::size_t> Drawing::stamp(const std::vector<std::string_view>& rows, long row,
                                        long column, const std::vector<float>& colour) {
  std::vector<std::size_t> pixels;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const long y = row + static_cast<long>(r), x = column + static_cast<long>(c);
      if (rows[r][c] != '#' || y < 0 || x < 0 || y >= static_cast<long>(rows_) ||
          x >= static_cast<long>(columns_))
        continue;
      const auto pixel = static_cast<std::size_t>(y) * columns_ + static_cast<std::size_t>(x);
      pixels.push_back(pixel);
      for (std::size_t k = 0; k < channels_; ++k) numbers_[pixel * channels_ + k] = colour[k];
    }
  }
  return pixels;
}

void link_to(Example& example, std::size_t row, const std::vector<std::size_t>& pixels,
             LinkKind kind) {
  for (const std::size_t pixel : pixels) example.links.push_back({row, pixel, kind});
}

}  // namespace attend
