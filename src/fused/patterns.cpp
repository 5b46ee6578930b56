// SPDX-License-Identifier: Apache-2.0
#include "fused/patterns.h"

#include <algorithm>

namespace attend::fused {
namespace {

std::ptrdiff_t gap(std::size_t a, std::size_t b) {
  return static_cast<std::ptrdiff_t>(a) - static_cast<std::ptrdiff_t>(b);
}

}  // namespace

void Strided::each(std::size_t, PatchVisitor& visitor) const {
  constexpr std::size_t rows = 1024;
  if (parts_ != Part::second) {
    for (std::size_t i = 0; i < m_; i += rows) {
      const std::size_t count = std::min(rows, m_ - i), first = i > l_ ? i - l_ : 0;
      const std::size_t last = std::min(n_, i + count);
      if (first >= last) continue;
      visitor.visit({.queries = {i, count},
                     .keys = {first, last - first},
                     .before = static_cast<std::ptrdiff_t>(l_),
                     .after = 0,
                     .offset = gap(i, first)});
    }
  }
  if (parts_ == Part::first) return;
  // The key l places before is in the first part already.
  const std::ptrdiff_t after = parts_ == Part::both ? -2 : 0;
  for (std::size_t c = 0; c < std::min({l_, m_, n_}); ++c) {
    visitor.visit({.queries = {c, (m_ - c + l_ - 1) / l_, l_},
                   .keys = {c, (n_ - c + l_ - 1) / l_, l_},
                   .after = after});
  }
}

void Fixed::each(std::size_t, PatchVisitor& visitor) const {
  std::vector<std::uint32_t> keys;  // the last ones of the blocks before, and the own ones
  const auto add = [&](std::size_t first, std::size_t last) {
    for (std::size_t j = first; j < std::min(last, n_); ++j)
      keys.push_back(static_cast<std::uint32_t>(j));
  };
  const std::size_t alone = l_ > c_ ? l_ - c_ : 0;  // where the summary of a block begins
  for (std::size_t i = 0; i < m_; i += l_) {
    const std::size_t count = std::min(l_, m_ - i), before = keys.size();
    const auto visit = [&](std::size_t first, std::size_t rows) {
      visitor.visit({.queries = {i + first, rows},
                     .keys = {0, keys.size(), 1, keys.data()},
                     .after = 0,
                     .offset = static_cast<std::ptrdiff_t>(before)});
    };
    if (parts_ == Part::second) {
      const std::size_t plain = std::min(alone, count);
      if (plain > 0 && before > 0) {
        visitor.visit({.queries = {i, plain}, .keys = {0, before, 1, keys.data()}});
      }
      add(i + alone, i + l_);
      if (count > plain) visit(plain, count - plain);
    } else {
      add(i, i + count);
      visit(0, count);
      keys.resize(before);
      if (parts_ == Part::both) add(i + alone, i + l_);
    }
  }
}

void Blocks::each(std::size_t, PatchVisitor& visitor) const {
  std::vector<std::uint32_t> order, keys;
  for (std::size_t b = 0; b * size_ < m_; ++b) {
    order.assign(blocks_.begin() + starts_[b], blocks_.begin() + starts_[b + 1]);
    if (causal_) std::erase_if(order, [b](std::uint32_t block) { return block > b; });
    std::sort(order.begin(), order.end());
    if (order.empty()) continue;
    const std::size_t first = b * size_, rows = std::min(size_, m_ - first);
    const bool side_by_side = order.back() - order.front() + 1 == order.size();
    Patch patch{.queries = {first, rows}};
    keys.clear();
    std::size_t count = 0;
    for (const std::uint32_t block : order) {
      const std::size_t start = block * size_, stop = std::min(n_, start + size_);
      if (causal_ && block == b) {  // the last of them
        patch.after = 0;
        patch.offset = static_cast<std::ptrdiff_t>(count);
      }
      for (std::size_t j = start; j < stop && !side_by_side; ++j)
        keys.push_back(static_cast<std::uint32_t>(j));
      count += stop > start ? stop - start : 0;
    }
    patch.keys = side_by_side ? Run{order.front() * size_, count} : Run{0, count, 1, keys.data()};
    visitor.visit(patch);
  }
}

}  // namespace attend::fused
