// SPDX-License-Identifier: Apache-2.0
#include "fused/patterns.h"

#include <algorithm>

#include "fused/buffer.h"
#include "fused/places.h"
#include "fused/ranges.h"
#include "fused/scores.h"

namespace attend::fused {
void Strided::each(std::size_t, PatchVisitor& visitor) const {
  constexpr std::size_t rows = 1024;
  if (part_ != Part::second) {
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
  if (part_ == Part::first) return;
  // The key l places before is in the first part already.
  const std::ptrdiff_t after = part_ == Part::both ? -2 : 0;
  for (std::size_t c = 0; c < std::min({l_, m_, n_}); ++c) {
    visitor.visit({.queries = {c, (m_ - c + l_ - 1) / l_, l_},
                   .keys = {c, (n_ - c + l_ - 1) / l_, l_},
                   .after = after});
  }
}

void Fixed::each(std::size_t, PatchVisitor& visitor) const {
  // The last keys of the blocks before, and the own ones.
  Buffer<std::uint32_t> keys(n_);
  std::size_t count = 0;
  const auto add = [&](std::size_t first, std::size_t last) {
    for (std::size_t j = first; j < std::min(last, n_); ++j)
      keys.data()[count++] = static_cast<std::uint32_t>(j);
  };
  const std::size_t alone = l_ > c_ ? l_ - c_ : 0;  // where the summary of a block begins
  for (std::size_t i = 0; i < m_; i += l_) {
    const std::size_t own = std::min(l_, m_ - i), before = count;
    const auto visit = [&](std::size_t first, std::size_t rows) {
      visitor.visit({.queries = {i + first, rows},
                     .keys = {0, count, 1, keys.data()},
                     .after = 0,
                     .offset = static_cast<std::ptrdiff_t>(before)});
    };
    if (part_ == Part::second) {
      const std::size_t plain = std::min(alone, own);
      if (plain > 0 && before > 0)
        visitor.visit({.queries = {i, plain}, .keys = {0, before, 1, keys.data()}});
      add(i + alone, i + l_);
      if (own > plain) visit(plain, own - plain);
    } else {
      add(i, i + own);
      visit(0, own);
      count = before;
      if (part_ == Part::both) add(i + alone, i + l_);
    }
  }
}

void Recent::each(std::size_t, PatchVisitor& visitor) const {
  for (std::size_t i = 0; i < m_; i += size_) {
    const std::size_t first = std::min(n_, i - std::min(i, memory_));
    const std::size_t last = std::min(n_, i + size_);
    visitor.visit({.queries = {i, std::min(size_, m_ - i)},
                   .keys = {first, last - first},
                   .after = 0,
                   .offset = gap(i, first)});
  }
}

void Summarised::each(std::size_t, PatchVisitor& visitor) const {
  constexpr std::size_t rows = 1024;
  const std::size_t near = n_ - rest_;
  for (std::size_t i = 0; i < m_; i += rows) {
    const std::size_t count = std::min(rows, m_ - i);
    const std::size_t first = std::min(near, i - std::min(i, window_));
    const std::size_t last = std::min(near, i + count + std::min(near, window_));
    const auto reach = static_cast<std::ptrdiff_t>(window_);
    visitor.visit({.queries = {i, count},
                   .keys = {first, last - first},
                   .before = reach,
                   .after = reach,
                   .offset = gap(i, first)});
    visitor.visit({.queries = {i, count}, .keys = {near, rest_}});
  }
}

template <class Mark>
void BigBird::each_stretch(std::size_t head, std::size_t i, Mark mark) const {
  const std::size_t own = i / s_.size;
  if (own < s_.global) return mark(0, s_.n);
  const std::size_t first = (own - std::min(own, s_.window)) * s_.size;
  mark(std::min(first, s_.n), std::min((own + s_.window + 1) * s_.size, s_.n));
  mark(0, std::min(s_.global * s_.size, s_.n));
  const real* const drawn = row_of(drawn_.rows, head, i);
  for (std::size_t t = 0; t < drawn_.count; ++t) {
    const std::size_t key = s_.listed ? static_cast<std::size_t>(drawn[t]) : t;
    if (s_.listed || drawn[t] != 0) mark(key, key + 1);
  }
}

void BigBird::each(std::size_t head, PatchVisitor& visitor) const {
  constexpr std::size_t rows = rows_together;
  Buffer<std::uint32_t> keys(s_.n), places(s_.n);
  Buffer<std::uint8_t> seen(s_.n);
  Buffer<real> mask;
  for (std::size_t i = 0; i < s_.m; i += rows) {
    const std::size_t count = std::min(rows, s_.m - i);
    std::fill_n(seen.data(), s_.n, std::uint8_t{0});
    for (std::size_t t = 0; t < count; ++t) {
      each_stretch(head, i + t, [&](std::size_t first, std::size_t last) {
        std::fill(seen.data() + first, seen.data() + last, std::uint8_t{1});
      });
    }
    std::uint32_t listed = 0;
    const std::size_t end = s_.causal ? std::min(s_.n, i + count) : s_.n;
    for (std::size_t j = 0; j < s_.n; ++j) {
      places.data()[j] = listed;
      if (j < end && seen.data()[j] != 0) keys.data()[listed++] = static_cast<std::uint32_t>(j);
    }
    const auto place = [&](std::size_t key) { return key < s_.n ? places.data()[key] : listed; };
    mask.fit(count * listed);
    for (std::size_t t = 0; t < count; ++t) {
      real* const row = mask.data() + t * listed;
      std::fill_n(row, listed, real(0));
      each_stretch(head, i + t, [&](std::size_t first, std::size_t last) {
        std::fill(row + place(first), row + place(last), real(1));
      });
      if (s_.causal) std::fill(row + place(i + t + 1), row + listed, real(0));
    }
    visitor.visit(
        {.queries = {i, count}, .keys = {0, listed, 1, keys.data()}, .mask = mask.data()});
  }
}

void Blocks::each(std::size_t, PatchVisitor& visitor) const {
  Buffer<std::uint32_t> order, keys;
  for (std::size_t b = 0; b * size_ < m_; ++b) {
    order.fit(starts_[b + 1] - starts_[b]);
    std::uint32_t *const first = order.data(), *last = first;
    for (std::size_t at = starts_[b]; at < starts_[b + 1]; ++at) {
      if (!causal_ || blocks_[at] <= b) *last++ = blocks_[at];
    }
    if (first == last) continue;
    std::sort(first, last);
    const auto listed = static_cast<std::size_t>(last - first);
    const bool side_by_side = last[-1] - *first + 1 == listed;
    const std::size_t row = b * size_;
    Patch patch{.queries = {row, std::min(size_, m_ - row)}};
    keys.fit(side_by_side ? 0 : listed * size_);
    std::size_t count = 0;
    for (const std::uint32_t* block = first; block != last; ++block) {
      const std::size_t start = std::min(n_, *block * size_), stop = std::min(n_, start + size_);
      if (causal_ && *block == b) {  // the last of them
        patch.after = 0;
        patch.offset = static_cast<std::ptrdiff_t>(count);
      }
      for (std::size_t j = start; j < stop && !side_by_side; ++j)
        keys.data()[count + j - start] = static_cast<std::uint32_t>(j);
      count += stop - start;
    }
    patch.keys = side_by_side ? Run{*first * size_, count} : Run{0, count, 1, keys.data()};
    visitor.visit(patch);
  }
}

void KeptKeys::each(std::size_t head, PatchVisitor& visitor) const {
  class Kept : public PatchVisitor {
   public:
    Kept(PatchVisitor& to, const real* kept) : to_(to), kept_(kept) {}
    void visit(const Patch& patch) override {
      const std::size_t keys = patch.keys.count;
      const bool own = patch.mask != nullptr && !patch.mask_of_keys;
      const std::size_t rows = own ? patch.queries.count : 1;
      mask_.fit(rows * keys);
      for (std::size_t t = 0; t < rows; ++t) {
        for (std::size_t s = 0; s < keys; ++s) {
          const bool there = patch.mask == nullptr || patch.mask[t * keys + s] != 0;
          mask_.data()[t * keys + s] = there && kept_[patch.keys[s]] != 0 ? 1 : 0;
        }
      }
      Patch left = patch;
      left.mask = mask_.data();
      left.mask_of_keys = !own;
      to_.visit(left);
    }

   private:
    PatchVisitor& to_;
    const real* kept_;
    Buffer<real> mask_;
  };
  Kept kept(visitor, row_of(kept_, head, 0));
  all_.each(head, kept);
}

bool draws_by_operand(const Intent& intent) {
  return intent.kind == Intent::documents ||
         (intent.kind == Intent::bigbird && intent.part != Part::first);
}

bool has_kernel(const Intent& intent) {
  if (intent.kind == Intent::band) return true;
  if (intent.before != unbounded || intent.block != 0) return false;
  switch (intent.kind) {
    case Intent::strided:
    case Intent::fixed:
    case Intent::recent:
      return intent.after == 0;
    case Intent::bigbird:
    case Intent::first:
    case Intent::others:
    case Intent::documents:
      return intent.after == 0 || intent.after == unbounded;
    case Intent::summarised:
    case Intent::diffusion:
    case Intent::neighbours:
      return intent.after == unbounded;
    default:
      return false;
  }
}

void each_patch(const Intent& pattern, std::size_t m, std::size_t n, PatchVisitor& visitor,
                std::size_t head, const Drawn& drawn) {
  const bool causal = pattern.after == 0;
  switch (pattern.kind) {
    case Intent::strided:
      return Strided(m, n, pattern.l, pattern.part).each(head, visitor);
    case Intent::fixed:
      return Fixed(m, n, pattern.l, pattern.c, pattern.part).each(head, visitor);
    case Intent::recent:
      return Recent(m, n, pattern.l, pattern.c).each(head, visitor);
    case Intent::summarised:
      return Summarised(m, n, pattern.l, pattern.c).each(head, visitor);
    case Intent::bigbird:
      return BigBird({m, n, pattern.l, pattern.c, pattern.global, causal, pattern.lists_keys()},
                     drawn)
          .each(head, visitor);
    case Intent::first:
      return FirstKeys({m, n, pattern.l, pattern.c, causal}).each(head, visitor);
    case Intent::others:
      return Others(m, n, causal).each(head, visitor);
    case Intent::documents:
      return Documents(m, n, causal, drawn.rows.data).each(head, visitor);
    case Intent::diffusion:
      return Diffusion(pattern.c, pattern.l).each(head, visitor);
    case Intent::neighbours:
      return Neighbours({m, n, pattern.global, pattern.c, pattern.l}).each(head, visitor);
    default:
      break;
  }
}

}  // namespace attend::fused
