// SPDX-License-Identifier: Apache-2.0
#include "fused/ranges.h"

#include <algorithm>

#include "fused/buffer.h"

namespace attend::fused {
namespace {

constexpr std::size_t rows_together = 1024;

}  // namespace

void FirstKeys::each(std::size_t, PatchVisitor& visitor) const {
  const std::size_t first = std::min(s_.first, s_.n);
  for (std::size_t i = 0; i < s_.m; i += rows_together) {
    const std::size_t count = std::min(rows_together, s_.m - i);
    if (first > 0) {
      Patch patch{.queries = {i, count}, .keys = {0, first}};
      if (s_.causal) {
        patch.after = 0;
        patch.offset = gap(i, 0);
      }
      visitor.visit(patch);
    }
    const std::size_t start = std::max(first, i + 1 - std::min(i + 1, s_.window));
    const std::size_t last = std::min(s_.n, i + count);
    if (s_.window == 0 || start >= last) continue;
    visitor.visit({.queries = {i, count},
                   .keys = {start, last - start},
                   .before = gap(s_.window, 1),
                   .after = 0,
                   .offset = gap(i, start)});
  }
}

void Others::each(std::size_t, PatchVisitor& visitor) const {
  for (std::size_t i = 0; i < m_; i += rows_together) {
    const std::size_t count = std::min(rows_together, m_ - i), last = std::min(n_, i + count);
    if (last > 0)
      visitor.visit({.queries = {i, count}, .keys = {0, last}, .after = -1, .offset = gap(i, 0)});
    if (causal_ || i >= n_) continue;
    visitor.visit({.queries = {i, count}, .keys = {i, n_ - i}, .before = -1});
  }
}

void Diffusion::each(std::size_t, PatchVisitor& visitor) const {
  Buffer<std::uint32_t> keys(block_ + length_);
  for (std::size_t i = 0; i < length_; i += block_) {
    const std::size_t own = std::min(block_, length_ - i);
    std::uint32_t* last = keys.data();
    for (std::size_t j = i; j < i + own; ++j) *last++ = static_cast<std::uint32_t>(j);
    for (std::size_t j = 0; j < i; ++j) *last++ = static_cast<std::uint32_t>(length_ + j);
    visitor.visit({.queries = {i, own}, .keys = {0, own + i, 1, keys.data()}});
    visitor.visit({.queries = {length_ + i, own}, .keys = {length_, i + own}});
  }
}

}  // namespace attend::fused
