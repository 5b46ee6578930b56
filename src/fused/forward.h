// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fused/scores.h"
#include "fused/scratch.h"

// The forward pass: a group of query panels goes over the keys block by block, each panel with the
// largest score so far, the sum of its weights and its context, which shrink when a larger score
// comes.
namespace attend::fused {

// Keys in a block: their scores for one panel stay in the first-level cache.
inline constexpr std::size_t block_keys = 264;
// A block of keys and values is loaded from memory once, and serves this many panels.
inline constexpr std::size_t group_panels = 32;

// This many keys are left out at a time when the mask keeps none of them: whole tiles.
inline constexpr std::size_t mask_piece = 48;
static_assert(mask_piece % tile_rows == 0);

// Fewer where queries and context of all would not stay in the second-level cache.
inline std::size_t panels_in_group(std::size_t widths, std::size_t panel) {
  constexpr std::size_t cache = 256 * 1024 / sizeof(real);
  return std::clamp<std::size_t>(cache / (std::max<std::size_t>(widths, 1) * panel), 4,
                                 group_panels);
}

// Blocks of equal size, in whole tiles.
inline std::size_t block_size(std::size_t keys) {
  const std::size_t blocks = (keys + block_keys - 1) / block_keys;
  if (blocks <= 1) return keys;
  const std::size_t even = (keys + blocks - 1) / blocks;
  return (even + tile_rows - 1) / tile_rows * tile_rows;
}

template <class Arch>
class Forward {
 public:
  using Batch = xsimd::batch<real, Arch>;
  static constexpr std::size_t width = panel_width<Arch>;

  static void run(const Attention& a, Place out, Statistics statistics, const Range& range) {
    Forward forward(a, out, statistics, range.last_row - range.first_row);
    for (std::size_t h = range.first_head; h < range.last_head; ++h) {
      const std::size_t rows = forward.panels_ * width;
      for (std::size_t i = range.first_row; i < range.last_row; i += rows) {
        forward.group({h, i, std::min(rows, range.last_row - i)});
      }
    }
  }

 private:
  // One panel's way through the keys.
  struct State {
    Queries queries;
    Keys keys;
    real* panel;    // [columns width]
    real* context;  // [dv width]
    real* largest;  // [width]
    real* sum;      // [width]
    bool fresh;     // nothing in the context yet
  };

  Forward(const Attention& a, Place out, Statistics statistics, std::size_t rows)
      : a_(a),
        out_(out),
        statistics_(statistics),
        panels_(std::min(panels_in_group(Scores<Arch>::columns(a) + a.dv, width),
                         (rows + width - 1) / width)),
        block_(std::min(block_keys + tile_rows, a.n)),
        tiles_size_(panels_for_tiles > 0 && panels_ >= panels_for_tiles ? block_ * (a.d + a.dv)
                                                                        : 0),
        scratch_(panels_ * (Scratch::rounded(Scores<Arch>::columns(a) * width) +
                            Scratch::rounded(a.dv * width) + 2 * Scratch::rounded(width)) +
                 Scratch::rounded(block_ * width) +
                 Scratch::rounded(Scores<Arch>::rows_aside(a, block_) * width) +
                 Scratch::rounded(tiles_size_)),
        scores_(scratch_.take(block_ * width)),
        aside_(scratch_.take(Scores<Arch>::rows_aside(a, block_) * width)),
        tiles_(tiles_size_ > 0 ? scratch_.take(tiles_size_) : nullptr) {
    for (std::size_t p = 0; p < panels_; ++p) {
      states_[p].panel = scratch_.take(Scores<Arch>::columns(a) * width);
      states_[p].context = scratch_.take(a.dv * width);
      states_[p].largest = scratch_.take(width);
      states_[p].sum = scratch_.take(width);
    }
  }

  void group(const Queries& all) {
    std::size_t panels = 0;
    for (std::size_t i = 0; i < all.count; i += width) {
      start(states_[panels++], {all.head, all.first + i, std::min(width, all.count - i)});
    }
    const Keys keys = keys_of(a_, all);
    const std::size_t step = block_size(keys.last - keys.first);
    for (std::size_t j = keys.first; j < keys.last; j += step) {
      const Keys block{j, std::min(j + step, keys.last)};
      // The last group may have but a few panels.
      const bool laid = tiles_ != nullptr && panels >= panels_for_tiles;
      if (laid) lay(all.head, block);
      for (std::size_t p = 0; p < panels; ++p) {
        const Keys own{std::max(block.first, states_[p].keys.first),
                       std::min(block.last, states_[p].keys.last)};
        if (own.first < own.last) add_kept(states_[p], own, laid ? &block : nullptr);
      }
    }
    for (std::size_t p = 0; p < panels; ++p) finish(states_[p]);
  }

  void start(State& s, const Queries& queries) {
    s.queries = queries;
    s.keys = keys_of(a_, queries);
    s.fresh = true;
    std::fill_n(s.largest, width, none);
    std::fill_n(s.sum, width, real(0));
    Scores<Arch>::gather(a_, queries, s.panel);
  }

  // Lays the keys and values of a block in tiles: [tile][d][key] and behind them [tile][key][dv].
  void lay(std::size_t head, Keys block) {
    const std::size_t count = block.last - block.first;
    Panel<Arch>::gather_tiles(row_of(a_.k, head, block.first), a_.k.row, count / tile_rows, a_.d,
                              tiles_);
    Panel<Arch>::lay_tiles(row_of(a_.v, head, block.first), a_.v.row, a_.dv / tile_rows, count,
                           tiles_ + count * a_.d);
  }

  // Those of the keys that the mask keeps for some query, in runs: an empty piece costs a look at
  // the mask only.
  void add_kept(State& s, Keys keys, const Keys* block) {
    if (a_.mask.data == nullptr) return add(s, keys, block);
    std::size_t first = keys.first;
    for (std::size_t j = keys.first; j < keys.last; j += mask_piece) {
      const Keys piece{j, std::min(j + mask_piece, keys.last)};
      if (Scores<Arch>::keeps_any(a_, s.queries, piece)) continue;
      if (first < piece.first) add(s, {first, piece.first}, block);
      first = piece.last;
    }
    if (first < keys.last) add(s, {first, keys.last}, block);
  }

  // `block`: that of which the keys are some, when it is laid in tiles.
  void add(State& s, Keys keys, const Keys* block) {
    real before[width];
    std::copy_n(s.largest, width, before);
    Scores<Arch>::compute(a_, s.queries, s.panel, keys, scores_, aside_, s.largest,
                          laid_keys(keys, block));
    const std::size_t count = keys.last - keys.first;
    if (!s.fresh) shrink(s, before);
    exponentials(s, count);
    const real* const v = row_of(a_.v, s.queries.head, keys.first);
    if (panels_for_tiles > 0 && block != nullptr) {
      multiply_laid<Arch, true>(laid_values(keys, *block), v, a_.v.row, scores_, count, a_.dv,
                                s.context, !s.fresh, nullptr);
    } else {
      multiply<Arch, true>(v, a_.v.row, scores_, count, a_.dv, s.context, !s.fresh, nullptr);
    }
    s.fresh = false;
    if (a_.relative.values.data == nullptr) return;
    const Relative<Arch> relative(a_, s.queries, keys);
    relative.sum(scores_, aside_);
    const Rows& values = a_.relative.values;
    multiply<Arch, true>(row_of(values, s.queries.head, relative.first()), values.row, aside_,
                         relative.rows(), a_.dv, s.context, true, nullptr);
  }

  // None where the keys do not begin with a tile.
  Laid laid_keys(Keys keys, const Keys* block) const {
    if (block == nullptr || (keys.first - block->first) % tile_rows != 0) return {};
    return {tiles_ + (keys.first - block->first) * a_.d, tile_rows * a_.d};
  }
  Laid laid_values(Keys keys, const Keys& block) const {
    const std::size_t count = block.last - block.first;
    return {tiles_ + count * a_.d + (keys.first - block.first) * tile_rows, tile_rows * count};
  }

  // What stood for e^(score - before) is to stand for e^(score - largest).
  void shrink(State& s, const real* before) {
    if (std::equal(before, before + width, s.largest)) return;
    const PowerOfTwo<Arch> power_of_two;
    for (std::size_t lane = 0; lane < width; lane += Batch::size) {
      const Batch factor = power_of_two(Batch::load_unaligned(before + lane) -
                                        shift(Batch::load_unaligned(s.largest + lane)));
      (Batch::load_unaligned(s.sum + lane) * factor).store_unaligned(s.sum + lane);
      for (std::size_t c = 0; c < a_.dv; ++c) {
        real* const at = s.context + c * width + lane;
        (Batch::load_unaligned(at) * factor).store_unaligned(at);
      }
    }
  }

  // Scores that are all -infinity are not to become NaN.
  static Batch shift(Batch largest) {
    return xsimd::select(largest == Batch(none), Batch(0), largest);
  }

  // Scores to weights that are still to be divided by their sum. One vector after the other: the
  // processor works on several of them anyway, and nothing spills.
  void exponentials(State& s, std::size_t count) {
    const PowerOfTwo<Arch> power_of_two;
    for (std::size_t lane = 0; lane < width; lane += Batch::size) {
      const Batch largest = shift(Batch::load_unaligned(s.largest + lane));
      Batch sum = Batch::load_unaligned(s.sum + lane);
      real* at = scores_ + lane;
      for (const real* const end = at + count * width; at != end; at += width) {
        const Batch weight = power_of_two(Batch::load_unaligned(at) - largest);
        weight.store_unaligned(at);
        sum += weight;
      }
      sum.store_unaligned(s.sum + lane);
    }
  }

  void finish(const State& s) {
    const Queries& q = s.queries;
    if (s.fresh) std::fill_n(s.context, a_.dv * width, real(0));
    real share[width];
    for (std::size_t r = 0; r < width; ++r) share[r] = s.sum[r] == 0 ? real(0) : 1 / s.sum[r];
    Panel<Arch>::template scatter<false>(s.context, share, a_.dv, row_of(out_, q.head, q.first),
                                         out_.row, q.count);
    const std::size_t at = q.head * a_.m + q.first;
    if (statistics_.largest != nullptr) std::copy_n(s.largest, q.count, statistics_.largest + at);
    if (statistics_.sum != nullptr) std::copy_n(s.sum, q.count, statistics_.sum + at);
  }

  const Attention& a_;
  Place out_;
  Statistics statistics_;
  std::size_t panels_;
  std::size_t block_;
  std::size_t tiles_size_;
  Scratch scratch_;
  real* scores_;
  real* aside_;
  real* tiles_;  // a block of keys and values laid in tiles, or null
  State states_[group_panels];
};

}  // namespace attend::fused
