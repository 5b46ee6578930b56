// SPDX-License-Identifier: Apache-2.0
#include "fused/spans.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fused/buffer.h"
#include "fused/forward.h"
#include "fused/patches.h"
#include "fused/scores.h"

namespace attend::fused {
namespace {

class Faded : public Patches {
 public:
  Faded(const Attention& a, const Spans& spans) : a_(a), spans_(spans) {}

  [[nodiscard]] real span(std::size_t head, std::size_t i) const {
    return spans_.z[head * spans_.head + i * spans_.row];
  }
  [[nodiscard]] real ramp(std::size_t head) const { return spans_.ramp[head * spans_.ramp_head]; }

  void each(std::size_t head, PatchVisitor& visitor) const override {
    Buffer<real> bias;
    real least = 0, most = 0;
    for (std::size_t i = 0, end = 0; i < a_.m; i = end) {
      end = together(head, i, least, most);
      const std::size_t rows = end - i;
      // Distances below `whole` count in full for all of these rows, those from `reach` on for none.
      const std::ptrdiff_t whole = places(least), reach = places(most + ramp(head));
      if (whole > 0)
        visit({head, i, rows, 0}, whole - 1, spans_.causal ? 0 : whole - 1, bias, visitor);
      if (reach > whole) visit({head, i, rows, -1}, reach - 1, -whole, bias, visitor);
      // The own key, at distance 0, stands in the ramp before.
      const std::ptrdiff_t next = std::max<std::ptrdiff_t>(whole, 1);
      if (!spans_.causal && reach > next)
        visit({head, i, rows, 1}, -next, reach - 1, bias, visitor);
    }
  }

 private:
  // Rows first .. first + count with the keys of one side, -1 before and 1 after them; 0: those that count in full.
  struct Side {
    std::size_t head, first, count;
    std::ptrdiff_t way;
  };

  // In the order of time no later span may decide how the keys of an earlier row are cut, whose sums would be rounded
  // in another way.
  [[nodiscard]] bool ordered() const { return spans_.causal && spans_.row != 0; }

  // The end of the rows from i on that are visited together, and bounds of their spans. Ordered, the bounds are powers
  // of two around those of the block's rows so far, and the first row beyond them begins anew.
  [[nodiscard]] std::size_t together(std::size_t head, std::size_t i, real& least,
                                     real& most) const {
    const std::size_t last = std::min(i - i % block_rows + block_rows, a_.m);
    real low = span(head, i), high = low;
    std::size_t end = i + 1;
    if (ordered()) {
      const bool begins = i % block_rows == 0;
      real power = 1;
      while (power < high && power < farthest()) power *= 2;
      high = power < high ? high : power;
      low = low < 1 ? -std::numeric_limits<real>::max() : power <= low ? low : power / 2;
      least = begins ? low : std::min(least, low);
      most = begins ? high : std::max(most, high);
      while (end < last && span(head, end) >= least && span(head, end) <= most) ++end;
      return end;
    }
    for (end = spans_.row == 0 ? last : end; end < last; ++end) {
      low = std::min(low, span(head, end));
      high = std::max(high, span(head, end));
    }
    least = low;
    most = high;
    return end;
  }

  [[nodiscard]] real farthest() const { return static_cast<real>(std::max(a_.m, a_.n)); }

  // How many distances lie below x, of those that there are.
  [[nodiscard]] std::ptrdiff_t places(real x) const {
    return x > 0 ? static_cast<std::ptrdiff_t>(std::ceil(std::min(x, farthest()))) : 0;
  }

  // The band before .. after around each query's own place.
  void visit(const Side& side, std::ptrdiff_t before, std::ptrdiff_t after, Buffer<real>& bias,
             PatchVisitor& visitor) const {
    const auto at = static_cast<std::ptrdiff_t>(side.first), n = static_cast<std::ptrdiff_t>(a_.n);
    const auto end = at + static_cast<std::ptrdiff_t>(side.count);
    const std::ptrdiff_t first = std::clamp<std::ptrdiff_t>(at - before, 0, n);
    const std::ptrdiff_t last = std::clamp<std::ptrdiff_t>(end + after, first, n);
    // Ordered, a block of keys at a time: larger patches are cut evenly, by where their last row stands.
    const auto most = static_cast<std::ptrdiff_t>(block_keys);
    for (std::ptrdiff_t from = first; from < last;) {
      const std::ptrdiff_t to = ordered() ? std::min(from + most, last) : last;
      Patch patch{.queries = {side.first, side.count},
                  .keys = {static_cast<std::size_t>(from), static_cast<std::size_t>(to - from)},
                  .before = before,
                  .after = after,
                  .offset = at - from};
      if (side.way != 0) patch.bias = faintness(side, from, to, bias);
      visitor.visit(patch);
      from = to;
    }
  }

  // log m of each row of a side with the keys from .. to.
  [[nodiscard]] const real* faintness(const Side& side, std::ptrdiff_t from, std::ptrdiff_t to,
                                      Buffer<real>& bias) const {
    bias.fit(side.count * static_cast<std::size_t>(to - from));
    real* at = bias.data();
    const real R = ramp(side.head);
    for (std::size_t i = side.first; i < side.first + side.count; ++i) {
      const real z = span(side.head, i);
      for (std::ptrdiff_t j = from; j < to; ++j) {
        // As it stands in the formula: what is not above 0 is not seen.
        const auto x = static_cast<real>(side.way * (j - static_cast<std::ptrdiff_t>(i)));
        const real m = (R + z - x) / R;
        *at++ = m >= 1 ? real(0) : m > 0 ? std::log(m) : none;
      }
    }
    return bias.data();
  }

  const Attention& a_;
  const Spans& spans_;
};

// The slope of a patch's bias, log m, goes to the spans: dm / dz = 1 / ramp where x >= z.
class ToSpans : public BiasSlopes {
 public:
  ToSpans(const Spans& spans, real* z) : spans_(spans), z_(z) {}
  void add(std::size_t head, const Patch& patch, const real* slopes) override {
    const real R = spans_.ramp[head * spans_.ramp_head];
    for (std::size_t t = 0; t < patch.queries.count; ++t) {
      real sum = 0;
      for (std::size_t s = 0; s < patch.keys.count; ++s) {
        const std::size_t at = t * patch.keys.count + s;
        const std::ptrdiff_t gap = static_cast<std::ptrdiff_t>(patch.keys.first + s) -
                                   static_cast<std::ptrdiff_t>(patch.queries.first + t);
        const real x = static_cast<real>(gap < 0 ? -gap : gap);
        const real left = R + span(head, patch.queries.first + t) - x;
        if (slopes[at] != 0 && left > 0 && left <= R) sum += slopes[at] / left;
      }
      z_[head * spans_.head + (patch.queries.first + t) * spans_.row] += sum;
    }
  }

 private:
  [[nodiscard]] real span(std::size_t head, std::size_t i) const {
    return spans_.z[head * spans_.head + i * spans_.row];
  }
  const Spans& spans_;
  real* z_;
};

}  // namespace

void attend_spans(const Attention& a, const Spans& spans, Place out, Statistics statistics) {
  attend_patches(a, Faded(a, spans), out, statistics);
}

void attend_spans_backward(const Attention& a, const Spans& spans, Rows out, Statistics statistics,
                           Rows out_gradient, const Gradients& gradients, real* z) {
  ToSpans to_spans(spans, z);
  const std::size_t heads = spans.head == 0 ? 1 : a.heads, rows = spans.row == 0 ? 1 : a.m;
  for (std::size_t h = 0; h < heads && z != nullptr; ++h)
    std::fill_n(z + h * spans.head, rows, real(0));
  attend_patches_backward(a, Faded(a, spans), out, statistics, out_gradient, gradients,
                          z == nullptr ? nullptr : &to_spans);
}

}  // namespace attend::fused
