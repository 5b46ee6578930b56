// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "fused/attention.h"
#include "fused/pairs.h"
#include "fused/panel.h"
#include "fused/relative.h"
#include "fused/strip.h"
#include "kernels/exponent.h"

// Scores of a panel of queries with a block of keys: one key a row, one query a lane.
namespace attend::fused {

using kernels::PowerOfTwo;

inline constexpr real none = -std::numeric_limits<real>::infinity();
inline constexpr real log2_e = real(1.44269504088896340736);

template <class Arch>
struct Scores {
  using Batch = xsimd::batch<real, Arch>;
  static constexpr std::size_t width = panel_width<Arch>;

  // The columns of a panel of queries, and the rows that `aside` needs for so many keys.
  static std::size_t columns(const Attention& a) { return a.d + a.relative.d; }
  static std::size_t rows_aside(const Attention& a, std::size_t keys) {
    return a.relative.keys.data == nullptr ? keys : Relative<Arch>::most_rows(keys);
  }

  // The panel of queries, [columns width], with the scale and log2 e in it; behind it what meets relative keys.
  static void gather(const Attention& a, const Queries& q, real* panel) {
    Panel<Arch>::gather(row_of(a.q, q.head, q.first), a.q.row, q.count, a.d, a.scale * log2_e,
                        panel);
    if (a.relative.keys.data == nullptr) return;
    const Rows& p = a.relative.p;
    Panel<Arch>::gather(row_of(p, q.head, q.first), p.row, q.count, a.relative.d, log2_e,
                        panel + a.d * width);
  }

  // out[keys width]: scores times log2 e, -infinity where excluded; `largest` [width] takes part, or is null.
  // `aside` [rows_aside width] is room for a panel of the bias, the mask or relative rows; `tiles` are the keys laid
  // tile by tile, or null.
  static void compute(const Attention& a, const Queries& q, const real* panel, Keys keys, real* out,
                      real* aside, real* largest, const Laid& laid = {}) {
    // The keys that all of them attend.
    const std::size_t first = std::max(keys_of(a, q.first + q.count - 1).first, keys.first);
    const std::size_t last = std::min(keys_of(a, q.first).last, keys.last);
    const bool edges = first > keys.first || last < keys.last;
    const bool other = changes(a);
    if (!edges || other || laid.tiles != nullptr || last < first + 2 * tile_rows)
      return part(a, q, panel, keys, out, aside, largest, laid, edges);
    // Only what lies outside has to be cut, in whole tiles.
    const std::size_t inner =
        keys.first + (first - keys.first + tile_rows - 1) / tile_rows * tile_rows;
    const std::size_t after = inner + (last - inner) / tile_rows * tile_rows;
    const auto at = [&](std::size_t key) { return out + (key - keys.first) * width; };
    part(a, q, panel, {keys.first, inner}, at(keys.first), aside, largest, laid,
         first > keys.first);
    part(a, q, panel, {inner, after}, at(inner), aside, largest, laid, false);
    part(a, q, panel, {after, keys.last}, at(after), aside, largest, laid, last < keys.last);
  }

  // Whether the mask keeps any of these keys for any of the queries.
  static bool keeps_any(const Attention& a, const Queries& q, Keys keys) {
    const std::size_t rows = a.mask.row == 0 ? 1 : q.count;
    for (std::size_t r = 0; r < rows; ++r) {
      const real* at = row_of(a.mask, q.head, q.first + r) + keys.first;
      const real* const end = at + (keys.last - keys.first);
      for (; end - at >= static_cast<std::ptrdiff_t>(Batch::size); at += Batch::size) {
        if (xsimd::any(Batch::load_unaligned(at) != Batch(0))) return true;
      }
      if (std::any_of(at, end, [](real x) { return x != 0; })) return true;
    }
    return false;
  }

  // out = change(out, at, lane) for every vector: `at` its place in the block, `lane` its first.
  template <class Change>
  static void each(std::size_t keys, real* out, Change change) {
    for (std::size_t at = 0; at < keys * width; at += width) {
      for (std::size_t lane = 0; lane < width; lane += Batch::size) {
        change(Batch::load_unaligned(out + at + lane), at + lane, lane)
            .store_unaligned(out + at + lane);
      }
    }
  }

 private:
  // Whether anything but a band joins the products.
  static bool changes(const Attention& a) {
    return a.bias.data != nullptr || a.relative.keys.data != nullptr || a.mask.data != nullptr ||
           a.cap != 0;
  }

  // The same of some keys in one go; with `edges` not all of them are for all queries.
  static void part(const Attention& a, const Queries& q, const real* panel, Keys keys, real* out,
                   real* aside, real* largest, const Laid& laid, bool edges) {
    const std::size_t count = keys.last - keys.first;
    if (count == 0) return;
    const bool plain = !edges && !changes(a);
    const real* const k = row_of(a.k, q.head, keys.first);
    if (panels_for_tiles > 0 && laid.tiles != nullptr) {
      multiply_laid<Arch, false>(laid, k, a.k.row, panel, a.d, count, out, false,
                                 plain ? largest : nullptr);
    } else {
      multiply<Arch, false>(k, a.k.row, panel, a.d, count, out, false, plain ? largest : nullptr);
    }
    if (plain) return;
    if (a.bias.data != nullptr) add_bias(a, q, keys, out, aside);
    if (a.relative.keys.data != nullptr) {
      const Relative<Arch> relative(a, q, keys);
      relative.multiply_rows(a.relative.keys, q.head, panel + a.d * width, a.relative.d, aside);
      relative.add(aside, out);
    }
    if (a.cap != 0) cap(a.cap * log2_e, count, out);
    if (a.mask.data != nullptr) exclude(a, q, keys, out, aside);
    if (edges) cut_edges(a, q, keys, out);
    if (largest == nullptr) return;
    each(count, out, [&](Batch s, std::size_t, std::size_t lane) {
      const Batch most = Batch::load_unaligned(largest + lane);
      xsimd::max(most, s).store_unaligned(largest + lane);
      return s;
    });
  }

  static void add_bias(const Attention& a, const Queries& q, Keys keys, real* out, real* aside) {
    const std::size_t count = keys.last - keys.first;
    Panel<Arch>::gather(bias_row(a, a.bias, q.head, q.first) + keys.first, bias_step(a, a.bias.row),
                        q.count, count, log2_e, aside);
    each(count, out, [&](Batch s, std::size_t at, std::size_t) {
      return s + Batch::load_unaligned(aside + at);
    });
  }

  static void cap(real most, std::size_t keys, real* out) {
    const kernels::HyperbolicTangent<Arch> tanh;
    const Batch factor(most), share(1 / most);
    each(keys, out, [&](Batch s, std::size_t, std::size_t) { return factor * tanh(s * share); });
  }

  static void exclude(const Attention& a, const Queries& q, Keys keys, real* out, real* aside) {
    const std::size_t count = keys.last - keys.first;
    Panel<Arch>::gather(row_of(a.mask, q.head, q.first) + keys.first, a.mask.row, q.count, count,
                        real(1), aside);
    each(count, out, [&](Batch s, std::size_t at, std::size_t) {
      return xsimd::select(Batch::load_unaligned(aside + at) == Batch(0), Batch(none), s);
    });
  }

  static void cut_edges(const Attention& a, const Queries& q, Keys keys, real* out) {
    real least[width];
    real most[width];
    for (std::size_t r = 0; r < width; ++r) {
      const Keys own = keys_of(a, q.first + std::min(r, q.count - 1));
      least[r] = distance(own.first, keys.first);
      most[r] = distance(own.last, keys.first);
    }
    each(keys.last - keys.first, out, [&](Batch s, std::size_t at, std::size_t lane) {
      const Batch key(static_cast<real>(at / width));
      const auto outside =
          key < Batch::load_unaligned(least + lane) || key >= Batch::load_unaligned(most + lane);
      return xsimd::select(outside, Batch(none), s);
    });
  }

  static real distance(std::size_t key, std::size_t from) {
    return static_cast<real>(static_cast<std::ptrdiff_t>(key) - static_cast<std::ptrdiff_t>(from));
  }
};

}  // namespace attend::fused
