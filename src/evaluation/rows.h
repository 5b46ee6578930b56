// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "catalogue/knob.h"

namespace attend {

// A tensor as rows along its last axis.
class RowsOf {
 public:
  explicit RowsOf(const Tensor& tensor)
      : data_(tensor.data), width_(tensor.shape.empty() ? 1 : tensor.shape.back()) {}
  [[nodiscard]] std::size_t count() const { return data_.size() / width_; }
  [[nodiscard]] std::size_t width() const { return width_; }
  [[nodiscard]] std::span<const double> operator[](std::size_t i) const {
    return data_.subspan(i * width_, width_);
  }

 private:
  std::span<const double> data_;
  std::size_t width_;
};

// The same to write into.
inline std::span<double> row_of(Tensor& tensor, std::size_t i) {
  const std::size_t width = tensor.shape.empty() ? 1 : tensor.shape.back();
  return std::span<double>(tensor.data).subspan(i * width, width);
}

inline double sum_of(std::span<const double> row) {
  double sum = 0;
  for (const double x : row) sum += x;
  return sum;
}

// The first of the largest entries.
inline std::size_t largest_of(std::span<const double> row) {
  std::size_t best = 0;
  for (std::size_t j = 1; j < row.size(); ++j)
    if (row[j] > row[best]) best = j;
  return best;
}

}  // namespace attend
