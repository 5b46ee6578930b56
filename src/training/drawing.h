// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "training/task.h"

// Images of tasks, and the truth about where in them something lies.
namespace attend {

// An image [rows columns channels] (or [rows columns], channels 1) that starts black.
class Drawing {
 public:
  Drawing(std::size_t rows, std::size_t columns, std::size_t channels);

  // Paints a stamp with its first corner there, '#' being full; gives the pixels that it filled. What lies outside is
  // cut off.
  std::vector<std::size_t> stamp(const std::vector<std::string_view>& rows, long row, long column,
                                 const std::vector<float>& colour);
  [[nodiscard]] Filling filling() const {
    return {.words = {}, .shape = shape_, .numbers = numbers_};
  }

 private:
  std::size_t rows_, columns_, channels_;
  Shape shape_;
  std::vector<float> numbers_;
};

// Row `row` of the answer has to do with these pixels.
void link_to(Example& example, std::size_t row, const std::vector<std::size_t>& pixels,
             LinkKind kind);

}  // namespace attend
