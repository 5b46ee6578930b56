// SPDX-License-Identifier: Apache-2.0
#include "ops/weight_store.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/finite.h"
#include "kernels/half.h"

namespace attend {
namespace {

constexpr WeightType own_type = sizeof(real) == sizeof(double) ? WeightType::f64 : WeightType::f32;
constexpr std::size_t read_at_once = 4096;

std::uint16_t half_at(const std::byte* halves, std::size_t i) {
  std::uint16_t bits = 0;
  std::memcpy(&bits, halves + i * sizeof(bits), sizeof(bits));
  return bits;
}

bool is_finite(real x) { return std::isfinite(x); }

// Kernels read all halves as numbers, so this looks at the bits. The place of the first half that is not finite, else
// `count`.
std::size_t first_unfit_half(const std::byte* halves, std::size_t count) {
  constexpr std::uint16_t exponent = 0x7c00;
  for (std::size_t i = 0; i < count; ++i) {
    if ((half_at(halves, i) & exponent) == exponent) return i;
  }
  return count;
}

}  // namespace

WeightTensor::WeightTensor(Shape shape, WeightType type, const std::byte* first,
                           std::shared_ptr<const void> holder)
    : shape_(std::move(shape)), type_(type), first_(first), holder_(std::move(holder)) {}

void WeightTensor::set_scale(const WeightTensor& scale) {
  scale_shape_ = scale.shape_;
  scales_ = scale.numbers();
}

void WeightTensor::round_rows() {
  if (type_ != WeightType::i8 || shape_.size() < 2 || count() < large_tensor) return;
  const std::size_t width = shape_.back(), height = shape_[shape_.size() - 2];
  // Beyond it a sum of bytes would not fit in 32 bits.
  if (std::max(width, height) >= std::size_t{1} << 24U) return;
  rounds_rows_ = true;
  std::vector<std::int32_t>&of_rows = converted_->row_sums, &of_columns = converted_->column_sums;
  if (!of_rows.empty()) return;
  const std::size_t rows = count() / width;
  of_rows.resize(rows);
  of_columns.resize(rows / height * width);
  const auto* x = reinterpret_cast<const std::int8_t*>(first_);
  for (std::size_t i = 0; i < rows; ++i, x += width) {
    std::int32_t* const columns = of_columns.data() + i / height * width;
    std::int32_t all = 0;
    for (std::size_t j = 0; j < width; ++j) {
      all += x[j];
      columns[j] += x[j];
    }
    of_rows[i] = all;
  }
}

bool WeightTensor::lies_ready() const {
  return type_ == own_type && reinterpret_cast<std::uintptr_t>(first_) % alignof(real) == 0;
}

std::shared_ptr<const real> WeightTensor::numbers() const {
  if (lies_ready()) return {holder_, reinterpret_cast<const real*>(first_)};
  if (converted_->numbers == nullptr) {
    const auto room = std::make_shared_for_overwrite<real[]>(std::max<std::size_t>(count(), 1));
    read(0, {room.get(), count()});
    converted_->numbers = {room, room.get()};
  }
  return converted_->numbers;
}

kernels::StoredMatrix WeightTensor::row(std::size_t at) const {
  const std::size_t width = shape_.empty() ? 1 : shape_.back();
  kernels::StoredMatrix own{type_, first_ + at * width * width_of(type_), 1, width};
  if (scales_ == nullptr) return own;
  const Strides strides = broadcast_strides(scale_shape_, shape_);
  own.scale = scales_.get();
  for (std::size_t axis = shape_.size(), rest = at; axis-- > 1;) {
    own.scale += rest % shape_[axis - 1] * strides[axis - 1];
    rest /= shape_[axis - 1];
  }
  own.column_step = shape_.empty() ? 0 : strides[shape_.size() - 1];
  return own;
}

std::optional<kernels::StoredMatrix> WeightTensor::matrix(std::size_t at) const {
  if (shape_.size() < 2) return std::nullopt;
  const std::size_t rows = shape_[shape_.size() - 2];
  kernels::StoredMatrix own = row(at * rows);
  own.rows = rows;
  if (rounds_rows_) {
    own.row_sums = converted_->row_sums.data() + at * rows;
    own.column_sums = converted_->column_sums.data() + at * own.columns;
  }
  if (own.scale == nullptr) return own;
  own.row_step = broadcast_strides(scale_shape_, shape_)[shape_.size() - 2];
  if (own.row_step != 0 && own.column_step != 0) return std::nullopt;
  return own;
}

// Row by row, so that finding the scales of millions of numbers costs little more than their products.
void WeightTensor::read(std::size_t from, std::span<real> room) const {
  const std::size_t width = shape_.empty() ? 1 : shape_.back();
  if (scales_ == nullptr)  // rows do not matter
    return kernels::unpack({type_, first_, 1, std::max<std::size_t>(count(), 1)}, from, room.size(),
                           room.data());
  for (std::size_t done = 0; done < room.size();) {
    const std::size_t column = (from + done) % width;
    const std::size_t here = std::min(room.size() - done, width - column);
    kernels::unpack(row((from + done) / width), column, here, room.data() + done);
    done += here;
  }
}

// As the file means it, where this build can only say infinity.
double WeightTensor::exactly(std::size_t at, real own) const {
  if (type_ == WeightType::f64) {
    double x = 0;
    std::memcpy(&x, first_ + 8 * at, sizeof(x));
    return x;
  }
  if (scales_ == nullptr) return static_cast<double>(own);
  const Strides strides = broadcast_strides(scale_shape_, shape_);
  const std::vector<std::size_t> index = unravel(at, shape_);
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) place += index[axis] * strides[axis];
  return static_cast<double>(static_cast<std::int8_t>(first_[at])) *
         static_cast<double>(scales_.get()[place]);
}

std::size_t WeightTensor::first_unfit(double& found) const {
  const std::size_t all = count();
  if (type_ == WeightType::f16) {
    const std::size_t at = first_unfit_half(first_, all);
    if (at < all) found = static_cast<double>(float_of_half(half_at(first_, at)));
    return at;
  }
  std::vector<real> part(std::min(all, read_at_once));
  const std::shared_ptr<const real> own = lies_ready() ? numbers() : nullptr;
  for (std::size_t from = 0; from < all; from += read_at_once) {
    std::span<const real> here(part.data(), std::min(read_at_once, all - from));
    if (own == nullptr)
      read(from, {part.data(), here.size()});
    else
      here = {own.get() + from, here.size()};
    if (kernels::all_finite(here)) continue;
    const auto unfit = std::find_if_not(here.begin(), here.end(), is_finite);
    const auto at = from + static_cast<std::size_t>(unfit - here.begin());
    found = exactly(at, *unfit);
    return at;
  }
  return all;
}

}  // namespace attend
