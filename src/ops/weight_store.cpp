// SPDX-License-Identifier: Apache-2.0
#include "ops/weight_store.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "ops/half.h"

namespace attend {
namespace {

constexpr WeightType own_type = sizeof(real) == sizeof(double) ? WeightType::f64 : WeightType::f32;
constexpr std::size_t slice = 4096;

template <class T>
T get(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

// Calls `use` with numbers of the type as they are written, and how one of them becomes a number.
template <class Use>
void by_type(WeightType type, Use use) {
  switch (type) {
    case WeightType::f64:
      return use(double{}, [](double x) { return x; });
    case WeightType::f32:
      return use(float{}, [](float x) { return x; });
    case WeightType::f16:
      return use(std::uint16_t{}, float_of_half);
    case WeightType::bf16:
      return use(std::uint16_t{}, float_of_upper_half);
    case WeightType::i8:
      return use(std::int8_t{}, [](std::int8_t x) { return static_cast<float>(x); });
  }
}

bool is_finite(real x) { return std::isfinite(x); }

}  // namespace

std::size_t width_of(WeightType type) {
  switch (type) {
    case WeightType::f64:
      return 8;
    case WeightType::f32:
      return 4;
    case WeightType::f16:
    case WeightType::bf16:
      return 2;
    case WeightType::i8:
      break;
  }
  return 1;
}

WeightTensor::WeightTensor(Shape shape, WeightType type, const std::byte* first,
                           std::shared_ptr<const void> holder)
    : shape_(std::move(shape)), type_(type), first_(first), holder_(std::move(holder)) {}

void WeightTensor::set_scale(const WeightTensor& scale) {
  scale_shape_ = scale.shape_;
  scales_ = scale.numbers();
}

bool WeightTensor::lies_ready() const {
  return type_ == own_type && reinterpret_cast<std::uintptr_t>(first_) % alignof(real) == 0;
}

std::shared_ptr<const real> WeightTensor::numbers() const {
  if (lies_ready()) return {holder_, reinterpret_cast<const real*>(first_)};
  if (converted_ == nullptr) {
    const auto room = std::make_shared_for_overwrite<real[]>(std::max<std::size_t>(count(), 1));
    convert(0, {room.get(), count()});
    if (scales_ != nullptr) multiply_scales({room.get(), count()});
    converted_ = {room, room.get()};
  }
  return converted_;
}

void WeightTensor::convert(std::size_t from, std::span<real> room) const {
  by_type(type_, [&](auto written, auto number) {
    using Written = decltype(written);
    const std::byte* at = first_ + from * sizeof(Written);
    for (real& x : room) {
      x = static_cast<real>(number(get<Written>(at)));
      at += sizeof(Written);
    }
  });
}

// Row by row, so that the walk over millions of numbers costs little more than their products.
void WeightTensor::multiply_scales(std::span<real> numbers) const {
  const Strides strides = broadcast_strides(scale_shape_, shape_);
  const std::size_t width = shape_.empty() ? 1 : shape_.back();
  const std::size_t step = shape_.empty() ? 0 : strides[shape_.size() - 1];
  for (std::size_t row = 0; row * width < numbers.size(); ++row) {
    std::size_t rest = row, at = 0;
    for (std::size_t axis = shape_.size(); axis-- > 1;) {
      at += rest % shape_[axis - 1] * strides[axis - 1];
      rest /= shape_[axis - 1];
    }
    for (std::size_t c = 0; c < width; ++c)
      numbers[row * width + c] *= scales_.get()[at + c * step];
  }
}

// As the file means it, where this build can only say infinity.
double WeightTensor::exactly(std::size_t at, real own) const {
  if (type_ == WeightType::f64) return get<double>(first_ + 8 * at);
  if (scales_ == nullptr) return static_cast<double>(own);
  const Strides strides = broadcast_strides(scale_shape_, shape_);
  const std::vector<std::size_t> index = unravel(at, shape_);
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < index.size(); ++axis) place += index[axis] * strides[axis];
  return get<std::int8_t>(first_ + at) * static_cast<double>(scales_.get()[place]);
}

std::size_t WeightTensor::first_unfit(double& found) const {
  const std::size_t all = count();
  std::vector<real> part(std::min(all, slice));
  // Finite bytes and finite scales may still make too large a number.
  const std::shared_ptr<const real> own = scales_ == nullptr && !lies_ready() ? nullptr : numbers();
  for (std::size_t from = 0; from < all; from += slice) {
    std::span<const real> here(part.data(), std::min(slice, all - from));
    if (own == nullptr)
      convert(from, {part.data(), here.size()});
    else
      here = {own.get() + from, here.size()};
    const auto unfit = std::find_if_not(here.begin(), here.end(), is_finite);
    if (unfit == here.end()) continue;
    const auto at = from + static_cast<std::size_t>(unfit - here.begin());
    found = exactly(at, *unfit);
    return at;
  }
  return all;
}

}  // namespace attend
