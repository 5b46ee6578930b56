// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>

#include "fused/attention.h"

// Where rows lie, and which keys a query may attend.
namespace attend::fused {

template <class Lying>
auto row_of(const Lying& x, std::size_t head, std::size_t i) {
  const std::size_t at =
      head / x.each;  // nearly always below the count: then a second division is spared
  return x.data + (at < x.count ? at : at % x.count) * x.head + i * x.row;
}
// The bias of query i, or its gradient, and the step to that of the next query: a table of gaps shifts by one.
template <class Bias>
auto bias_row(const Attention& a, Bias bias, std::size_t head, std::size_t i) {
  return a.bias_by_gap ? row_of(bias, head, 0) + (a.m - 1 - i) : row_of(bias, head, i);
}
inline std::ptrdiff_t bias_step(const Attention& a, std::size_t row) {
  return a.bias_by_gap ? -1 : static_cast<std::ptrdiff_t>(row);
}

struct Keys {
  std::size_t first;
  std::size_t last;
};

// The keys that query i may attend, by its place.
inline Keys keys_of(const Attention& a, std::size_t i) {
  const auto n = static_cast<std::ptrdiff_t>(a.n);
  const auto at = static_cast<std::ptrdiff_t>(i) + a.offset;
  std::ptrdiff_t first = at - a.before, last = at + a.after + 1;
  if (a.block != 0) {
    const auto size = static_cast<std::ptrdiff_t>(a.block);
    const std::ptrdiff_t start = at - (at % size + size) % size;
    first = std::max(first, start);
    last = std::min(last, start + size);
  }
  first = std::clamp<std::ptrdiff_t>(first, 0, n);
  last = std::clamp<std::ptrdiff_t>(last, first, n);
  return {static_cast<std::size_t>(first), static_cast<std::size_t>(last)};
}

// Queries first .. first + count of one head, side by side.
struct Queries {
  std::size_t head;
  std::size_t first;
  std::size_t count;
};

// The keys that at least one of them may attend.
inline Keys keys_of(const Attention& a, const Queries& q) {
  const std::size_t first = keys_of(a, q.first).first;
  return {first, std::max(first, keys_of(a, q.first + q.count - 1).last)};
}

}  // namespace attend::fused
