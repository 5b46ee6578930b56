// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "fused/scores.h"
#include "fused/scratch.h"

// The backward pass. A block of keys stays while groups of query panels go over it: the weights p
// come back from the row statistics, dp = v dout^T, ds = p (dp - out . dout), and then
// dv = p^T dout, dk = ds^T q scale, dq = ds k scale.
namespace attend::fused {

template <class Arch>
class Backward {
 public:
  using Batch = xsimd::batch<real, Arch>;
  static constexpr std::size_t width = panel_width<Arch>;

  static void run(const Attention& a, Rows out, Statistics statistics, Rows out_gradient,
                  const Gradients& gradients, const Range& range) {
    Backward backward(a, out, statistics, out_gradient, gradients, range);
    for (std::size_t h = range.first_head; h < range.last_head; ++h) backward.head(h);
  }

 private:
  static constexpr std::size_t block_keys = 120;
  static constexpr std::size_t group_rows = 128;
  static constexpr std::size_t block_panels = (block_keys + width - 1) / width;
  static constexpr std::size_t block_size = block_panels * width * width;

  Backward(const Attention& a, Rows out, Statistics statistics, Rows out_gradient,
           const Gradients& gradients, const Range& range)
      : a_(a),
        out_(out),
        statistics_(statistics),
        out_gradient_(out_gradient),
        gradients_(gradients),
        range_(range),
        scratch_(room(a)),
        key_gradient_(scratch_.take(block_panels * a.d * width)),
        value_gradient_(scratch_.take(block_panels * a.dv * width)),
        queries_(scratch_.take(Scores<Arch>::columns(a) * width)),
        outs_(scratch_.take(a.dv * width)),
        query_gradient_(scratch_.take(std::max(a.d, a.relative.d) * width)),
        weights_(scratch_.take(block_size)),
        slopes_(scratch_.take(block_size)),
        all_weights_(scratch_.take(block_panels * group_rows * width)),
        all_slopes_(scratch_.take(block_panels * group_rows * width)),
        means_(scratch_.take(a.m)),
        by_row_(scratch_.take(relative_size(a))),
        aside_(scratch_.take(relative_size(a))) {}

  // Rows that occur among a block of keys, and one panel more.
  static std::size_t relative_size(const Attention& a) {
    if (a.relative.keys.data == nullptr) return 0;
    return (Relative<Arch>::most_rows(block_panels * width) + width) * width;
  }

  static std::size_t room(const Attention& a) {
    return Scratch::rounded(block_panels * a.d * width) +
           Scratch::rounded(block_panels * a.dv * width) +
           Scratch::rounded(Scores<Arch>::columns(a) * width) +
           Scratch::rounded(std::max(a.d, a.relative.d) * width) +
           2 * Scratch::rounded(relative_size(a)) + Scratch::rounded(a.dv * width) +
           2 * Scratch::rounded(block_size) +
           2 * Scratch::rounded(block_panels * group_rows * width) + Scratch::rounded(a.m);
  }

  // Whether a gradient of this head goes on top of that of the head before.
  bool adds(const Place& x, std::size_t head) const {
    return head > range_.first_head && x.follows(head);
  }

  void head(std::size_t h) {
    for (std::size_t i = range_.first_row; i < range_.last_row; ++i) {
      means_[i] = dot(row_of(out_, h, i), row_of(out_gradient_, h, i));
      if (statistics_.mean != nullptr) means_[i] += statistics_.mean[h * a_.m + i];
      if (!adds(gradients_.q, h)) std::fill_n(row_of(gradients_.q, h, i), a_.d, real(0));
      const bool first = gradients_.bias.row != 0 || i == range_.first_row;
      if (gradients_.bias.data != nullptr && first && !adds(gradients_.bias, h)) {
        const std::size_t count = a_.bias_by_gap ? a_.m + a_.n - 1 : a_.n;
        std::fill_n(row_of(gradients_.bias, h, a_.bias_by_gap ? 0 : i), count, real(0));
      }
    }
    clear_relative(h);
    for (std::size_t j = 0; j < a_.n; j += block_keys) {
      block(h, {j, std::min(j + block_keys, a_.n)});
    }
  }

  void clear_relative(std::size_t h) const {
    const RelativeRows& relative = a_.relative;
    if (relative.keys.data == nullptr) return;
    const auto clear = [&](const Place& place, std::size_t first, std::size_t last,
                           std::size_t cols) {
      if (place.data == nullptr || adds(place, h)) return;
      for (std::size_t i = first; i < last; ++i) std::fill_n(row_of(place, h, i), cols, real(0));
    };
    clear(gradients_.p, range_.first_row, range_.last_row, relative.d);
    clear(gradients_.relative_keys, 0, relative.count, relative.d);
    clear(gradients_.relative_values, 0, relative.count, a_.dv);
  }

  real dot(const real* x, const real* y) const {
    Batch sum(0);
    std::size_t c = 0;
    for (; c + Batch::size <= a_.dv; c += Batch::size) {
      sum += Batch::load_unaligned(x + c) * Batch::load_unaligned(y + c);
    }
    real total = xsimd::reduce_add(sum);
    for (; c < a_.dv; ++c) total += x[c] * y[c];
    return total;
  }

  void block(std::size_t h, Keys keys) {
    const std::size_t count = keys.last - keys.first;
    std::fill_n(key_gradient_, block_panels * a_.d * width, real(0));
    std::fill_n(value_gradient_, block_panels * a_.dv * width, real(0));
    for (std::size_t i = range_.first_row; i < range_.last_row; i += group_rows) {
      const Queries rows{h, i, std::min(group_rows, range_.last_row - i)};
      const Keys own = keys_of(a_, rows);
      // From whole panels of keys, so that the lanes of every group are the same keys.
      const std::size_t skip = std::max(own.first, keys.first) - keys.first;
      const Keys both{keys.first + skip / width * width, std::min(own.last, keys.last)};
      if (both.first >= both.last || skip >= count) continue;
      group(rows, keys, both);
    }
    write(gradients_.k, h, keys, key_gradient_, a_.d, a_.scale);
    write(gradients_.v, h, keys, value_gradient_, a_.dv, real(1));
  }

  // Each panel of queries meets its own keys only. Both ends of what a row may attend grow with the row, so the panels
  // that reach a panel of keys lie side by side.
  void group(const Queries& rows, Keys block, Keys keys) {
    if (a_.mask.data != nullptr && !Scores<Arch>::keeps_any(a_, rows, keys)) return;
    std::array<Reach, block_panels> reach{};
    for (std::size_t i = 0; i < rows.count; i += width) {
      const Queries queries{rows.head, rows.first + i, std::min(width, rows.count - i)};
      Keys own = keys_of(a_, queries);
      own = {std::max(own.first, keys.first), std::min(own.last, keys.last)};
      if (own.first >= own.last) continue;
      const std::size_t first = (own.first - keys.first) / width;  // whole panels of keys
      own.first = keys.first + first * width;
      const std::size_t count = own.last - own.first;
      if (a_.mask.data == nullptr || Scores<Arch>::keeps_any(a_, queries, own)) {
        panel(queries, own);
      } else {
        std::fill_n(weights_, count * width, real(0));
        std::fill_n(slopes_, count * width, real(0));
      }
      // The last panel of keys may hold some that nobody here attends.
      const std::size_t rest = (width - count % width) % width;
      std::fill_n(weights_ + count * width, rest * width, real(0));
      std::fill_n(slopes_ + count * width, rest * width, real(0));
      const std::size_t at = first * group_rows * width + i * width;
      lay_down(weights_, all_weights_ + at, count);
      lay_down(slopes_, all_slopes_ + at, count);
      for (std::size_t p = first; p < first + (count + rest) / width; ++p) {
        if (reach[p].last == 0) reach[p].first = i;
        reach[p].last = std::min(i + width, rows.count);
      }
    }
    // One after the other, so that the rows of each stay in the first-level cache.
    const std::size_t before = (keys.first - block.first) / width;
    add_products(rows, reach, out_gradient_, a_.dv, all_weights_,
                 value_gradient_ + before * a_.dv * width);
    add_products(rows, reach, a_.q, a_.d, all_slopes_, key_gradient_ + before * a_.d * width);
  }

  // Of a group, the rows that reach a panel of keys: none where last is 0.
  struct Reach {
    std::size_t first = 0, last = 0;
  };

  // panels[keys] += what these keys are for the rows, times the rows.
  void add_products(const Queries& rows, const std::array<Reach, block_panels>& reach, Rows x,
                    std::size_t cols, const real* shares, real* panels) {
    for (std::size_t p = 0; p < block_panels; ++p) {
      const auto [first, last] = reach[p];
      if (first == last) continue;
      multiply<Arch, true>(row_of(x, rows.head, rows.first + first), x.row,
                           shares + (p * group_rows + first) * width, last - first, cols,
                           panels + p * cols * width, true, nullptr);
    }
  }

  // The weights of one panel of queries and the gradient of its scores, and what that gives the
  // queries and the bias.
  void panel(const Queries& q, Keys keys) {
    const std::size_t count = keys.last - keys.first;
    Scores<Arch>::gather(a_, q, queries_);
    const bool has_relative = a_.relative.keys.data != nullptr;
    Scores<Arch>::compute(a_, q, queries_, keys, weights_, has_relative ? by_row_ : slopes_,
                          nullptr);
    Panel<Arch>::gather(row_of(out_gradient_, q.head, q.first), out_gradient_.row, q.count, a_.dv,
                        real(1), outs_);
    multiply<Arch, false>(row_of(a_.v, q.head, keys.first), a_.v.row, outs_, a_.dv, count, slopes_,
                          false, nullptr);
    if (a_.relative.values.data != nullptr) {
      const Relative<Arch> relative(a_, q, keys);
      relative.multiply_rows(a_.relative.values, q.head, outs_, a_.dv, by_row_);
      relative.add(by_row_, slopes_);
    }
    differentiate(q, count);
    multiply<Arch, true>(row_of(a_.k, q.head, keys.first), a_.k.row, slopes_, count, a_.d,
                         query_gradient_, false, nullptr);
    real factor[width];
    std::fill_n(factor, width, a_.scale);
    Panel<Arch>::template scatter<true>(query_gradient_, factor, a_.d,
                                        row_of(gradients_.q, q.head, q.first), gradients_.q.row,
                                        q.count);
    std::fill_n(factor, width, real(1));
    if (has_relative) add_relative(q, keys, factor);
    if (gradients_.bias.data == nullptr) return;
    Panel<Arch>::template scatter<true>(slopes_, factor, count,
                                        bias_row(a_, gradients_.bias, q.head, q.first) + keys.first,
                                        bias_step(a_, gradients_.bias.row), q.count);
  }

  // Adds the gradients of p, of the relative keys and of the relative values.
  void add_relative(const Queries& q, Keys keys, const real* ones) {
    const RelativeRows& all = a_.relative;
    const Relative<Arch> relative(a_, q, keys);
    relative.sum(slopes_, by_row_);
    multiply<Arch, true>(row_of(all.keys, q.head, relative.first()), all.keys.row, by_row_,
                         relative.rows(), all.d, query_gradient_, false, nullptr);
    Panel<Arch>::template scatter<true>(query_gradient_, ones, all.d,
                                        row_of(gradients_.p, q.head, q.first), gradients_.p.row,
                                        q.count);
    const auto add = [&](const Place& to, const Rows& x, std::size_t cols) {
      relative.add_outer(by_row_, row_of(x, q.head, q.first), x.row, q.count, cols,
                         row_of(to, q.head, 0), to.row, aside_);
    };
    add(gradients_.relative_keys, all.p, all.d);
    if (all.values.data == nullptr) return;
    relative.sum(weights_, by_row_);
    add(gradients_.relative_values, out_gradient_, a_.dv);
  }

  // Scores to weights, dp to ds.
  void differentiate(const Queries& q, std::size_t count) {
    real largest[width];
    real share[width];
    real mean[width];
    const std::size_t at = q.head * a_.m + q.first;
    for (std::size_t r = 0; r < width; ++r) {
      const std::size_t i = std::min(r, q.count - 1);
      const real sum = statistics_.sum[at + i];
      largest[r] = statistics_.largest[at + i] == none ? real(0) : statistics_.largest[at + i];
      share[r] = sum == 0 ? real(0) : 1 / sum;
      mean[r] = means_[q.first + i];
    }
    if (a_.cap != 0) pass_cap(count, mean);
    const PowerOfTwo<Arch> power_of_two;
    // A share that is all of its row has no slope, but dp and the mean are sums in different orders.
    const Batch all(statistics_.shares ? real(1) : none);
    for (std::size_t lane = 0; lane < width; lane += Batch::size) {
      const Batch most = Batch::load_unaligned(largest + lane);
      const Batch part = Batch::load_unaligned(share + lane);
      const Batch middle = Batch::load_unaligned(mean + lane);
      real* w = weights_ + lane;
      real* s = slopes_ + lane;
      for (const real* const end = w + count * width; w != end; w += width, s += width) {
        const Batch weight = power_of_two(Batch::load_unaligned(w) - most) * part;
        weight.store_unaligned(w);
        const Batch slope = weight * (Batch::load_unaligned(s) - middle);
        xsimd::select(weight == all, Batch(0), slope).store_unaligned(s);
      }
    }
  }

  // d (c tanh(x / c)) / dx = 1 - (score / c)^2. An excluded pair has no weight, so its slope is 0 anyway. The means are
  // subtracted here, before the cap's slope is applied, and no longer afterwards.
  void pass_cap(std::size_t count, real* mean) {
    const Batch per_score(1 / (a_.cap * log2_e));
    Scores<Arch>::each(count, slopes_, [&](Batch s, std::size_t at, std::size_t lane) {
      const Batch r = Batch::load_unaligned(weights_ + at) * per_score;
      return (s - Batch::load_unaligned(mean + lane)) * (Batch(1) - xsimd::min(r * r, Batch(1)));
    });
    std::fill_n(mean, width, real(0));
  }

  // A panel [keys width of queries] becomes rows of panels [queries width of keys].
  static void lay_down(const real* panel, real* to, std::size_t keys) {
    for (std::size_t j = 0; j < keys; j += width) {
      Panel<Arch>::gather(panel + j * width, width, width, width, real(1), to + j * group_rows);
    }
  }

  void write(Place place, std::size_t h, Keys keys, const real* panels, std::size_t cols,
             real scale) {
    real factor[width];
    std::fill_n(factor, width, scale);
    const auto scatter =
        adds(place, h) ? Panel<Arch>::template scatter<true> : Panel<Arch>::template scatter<false>;
    for (std::size_t j = keys.first; j < keys.last; j += width, panels += cols * width) {
      scatter(panels, factor, cols, row_of(place, h, j), place.row, std::min(width, keys.last - j));
    }
  }

  const Attention& a_;
  Rows out_;
  Statistics statistics_;
  Rows out_gradient_;
  const Gradients& gradients_;
  const Range& range_;
  Scratch scratch_;
  real* key_gradient_;    // panels [d width]
  real* value_gradient_;  // panels [dv width]
  real* queries_;         // [d width]
  real* outs_;            // [dv width], the gradient of the output
  real* query_gradient_;  // [d width]
  real* weights_;         // [keys width]
  real* slopes_;          // [keys width]: dp, then ds
  real* all_weights_;     // panels [group_rows width]
  real* all_slopes_;
  real* means_;   // [m]: out . dout
  real* by_row_;  // [relative rows, width]
  real* aside_;   // the same and one panel
};

}  // namespace attend::fused
