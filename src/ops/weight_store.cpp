// SPDX-License-Identifier: Apache-2.0
#include "ops/weight_store.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

#include "kernels/half.h"

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

// By its bits, which a compiler tests many at a time.
bool is_finite(float x) {
  constexpr std::uint32_t exponent = 0x7f800000U;
  return (std::bit_cast<std::uint32_t>(x) & exponent) != exponent;
}

bool fits(float x) { return is_finite(x); }
bool fits(double x) {
  return std::isfinite(x) && std::abs(x) <= static_cast<double>(std::numeric_limits<real>::max());
}

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

std::size_t WeightTensor::first_unfit(double& found) const {
  const std::size_t all = count();
  if (scales_ != nullptr) {  // finite bytes and finite scales may still make too large a number
    const std::shared_ptr<const real> own = numbers();
    for (std::size_t i = 0; i < all; ++i) {
      if (fits(found = static_cast<double>(own.get()[i]))) continue;
      return i;
    }
    return all;
  }
  std::size_t unfit = all;
  by_type(type_, [&](auto written, auto number) {
    using Written = decltype(written);
    for (std::size_t from = 0; from < all && unfit == all; from += slice) {
      const std::size_t until = std::min(all, from + slice);
      bool fine = true;
      const auto at = [&](std::size_t i) {
        return number(get<Written>(first_ + i * sizeof(Written)));
      };
      for (std::size_t i = from; i < until; ++i) fine &= fits(at(i));
      for (std::size_t i = from; i < until && !fine; ++i) {
        if (fits(at(i))) continue;
        found = static_cast<double>(at(i));
        unfit = i;
        break;
      }
    }
  });
  return unfit;
}

}  // namespace attend
