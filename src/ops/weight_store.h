// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "kernels/real.h"
#include "kernels/stored.h"
#include "ops/shape.h"

namespace attend {

// Products read tensors of so many numbers, and more, as the file has them; smaller ones are converted once.
inline constexpr std::size_t large_tensor = std::size_t{1} << 16U;

// A tensor of a store: its numbers lie in a file that somebody holds.
class WeightTensor {
 public:
  // Numbers from `first` on, row-major, in memory that `holder` keeps. Those of the type that this build computes with
  // are read where they lie, if their place suits.
  WeightTensor(Shape shape, WeightType type, const std::byte* first,
               std::shared_ptr<const void> holder);
  // Bytes with their scales, which are repeated along axes of extent 1 and in front until they are as many.
  void set_scale(const WeightTensor& scale);
  // Of bytes: rows that are multiplied with its matrices are rounded to whole numbers, too. The first time it reads all
  // numbers.
  void round_rows();

  [[nodiscard]] const Shape& shape() const { return shape_; }
  [[nodiscard]] WeightType type() const { return type_; }
  [[nodiscard]] std::size_t count() const { return element_count(shape_); }

  // All its numbers as this build computes with them: where they lie in the file, or converted once, for everybody who
  // asks, copies of this one too. Held as long as anybody holds them.
  [[nodiscard]] std::shared_ptr<const real> numbers() const;
  // Whether they lie in the file as this build computes with them.
  [[nodiscard]] bool lies_ready() const;
  // Those from one on, row-major; nothing is held.
  void read(std::size_t from, std::span<real> room) const;
  // The last two axes from one place of the others on, to be multiplied as they lie; none where a scale differs by
  // row and by column. `at`: which matrix.
  [[nodiscard]] std::optional<kernels::StoredMatrix> matrix(std::size_t at) const;

  // The first number that this build cannot hold: NaN, infinity, or beyond its range; the count where there is none.
  [[nodiscard]] std::size_t first_unfit(double& found) const;

 private:
  // Made from the file's numbers once and shared by all copies.
  struct Converted {
    std::shared_ptr<const real> numbers;
    // Of bytes: the sum of every row of the last axis, and of every column of the last two.
    std::vector<std::int32_t> row_sums, column_sums;
  };
  // A row of the last axis, with where its scale begins.
  [[nodiscard]] kernels::StoredMatrix row(std::size_t at) const;
  [[nodiscard]] double exactly(std::size_t at, real own) const;

  Shape shape_;
  WeightType type_;
  const std::byte* first_;
  std::shared_ptr<const void> holder_;
  Shape scale_shape_;
  std::shared_ptr<const real> scales_;
  bool rounds_rows_ = false;
  std::shared_ptr<Converted> converted_ = std::make_shared<Converted>();
};

// The tensors of a file of weights, by their names; documents of one file share it.
using WeightStore = std::map<std::string, WeightTensor, std::less<>>;

}  // namespace attend
