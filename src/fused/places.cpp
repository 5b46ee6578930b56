// SPDX-License-Identifier: Apache-2.0
#include "fused/places.h"

#include <algorithm>
#include <numeric>

#include "fused/buffer.h"

namespace attend::fused {

void Documents::each(std::size_t, PatchVisitor& visitor) const {
  Buffer<std::uint32_t> keys(n_);
  std::uint32_t *from = keys.data(), *const end = from + n_;
  std::iota(from, end, std::uint32_t{0});
  const auto number = [&](std::uint32_t key) { return documents_[key]; };
  std::sort(from, end, [&](std::uint32_t a, std::uint32_t b) {
    return number(a) < number(b) || (number(a) == number(b) && a < b);
  });
  while (from != end) {
    std::uint32_t* const last =
        std::find_if(from, end, [&](std::uint32_t key) { return number(key) != number(*from); });
    const auto count = static_cast<std::size_t>(last - from);
    const auto queries = static_cast<std::size_t>(
        std::lower_bound(from, last, static_cast<std::uint32_t>(m_)) - from);
    Patch patch{.queries = {0, queries, 1, from}, .keys = {0, count, 1, from}};
    if (last[-1] - *from + 1 == count) {
      patch.queries = {*from, queries};
      patch.keys = {*from, count};
    }
    if (causal_) patch.after = 0;
    if (queries > 0) visitor.visit(patch);
    from = last;
  }
}

namespace {

// The first of `kernel` places around one of `size`.
std::size_t first_around(std::size_t place, std::size_t kernel, std::size_t size) {
  return std::min(place - std::min(place, kernel / 2), size - kernel);
}

}  // namespace

void Neighbours::each(std::size_t, PatchVisitor& visitor) const {
  constexpr std::size_t together = 64;
  const std::size_t rows = s_.n / s_.columns, tall = s_.kernel_rows, wide = s_.kernel_columns;
  Buffer<std::uint32_t> keys;
  Buffer<real> mask;
  for (std::size_t i = 0; i < s_.m;) {
    const std::size_t row = i / s_.columns, column = i % s_.columns;
    const std::size_t count = std::min({together, s_.columns - column, s_.m - i});
    const std::size_t top = first_around(row, tall, rows);
    const std::size_t left = first_around(column, wide, s_.columns);
    const std::size_t across = first_around(column + count - 1, wide, s_.columns) + wide - left;
    keys.fit(tall * across);
    mask.fit(count * tall * across);
    for (std::size_t y = 0; y < tall; ++y) {
      for (std::size_t x = 0; x < across; ++x)
        keys.data()[y * across + x] = static_cast<std::uint32_t>((top + y) * s_.columns + left + x);
    }
    for (std::size_t t = 0; t < count; ++t) {
      const std::size_t first = first_around(column + t, wide, s_.columns) - left;
      for (std::size_t y = 0; y < tall; ++y) {
        for (std::size_t x = 0; x < across; ++x)
          mask.data()[(t * tall + y) * across + x] = x >= first && x < first + wide ? 1 : 0;
      }
    }
    visitor.visit(
        {.queries = {i, count}, .keys = {0, tall * across, 1, keys.data()}, .mask = mask.data()});
    i += count;
  }
}

}  // namespace attend::fused
