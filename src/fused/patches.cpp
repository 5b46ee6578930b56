// SPDX-License-Identifier: Apache-2.0
#include "fused/patches.h"

#include <algorithm>
#include <cmath>

#include "fused/feature_sums.h"

namespace attend::fused {
namespace {

// Rows of one head that a run names, in the order of the run: where they lie, or copied side by side. Rows that are a
// step apart are copied too: a power of two between them would lay all of them on a few lines of the cache.
Rows rows_of_run(Rows x, std::size_t head, const Run& run, std::size_t width, real* room) {
  if (run.list == nullptr && run.step == 1) return {row_of(x, head, run.first), x.row, 0};
  for (std::size_t t = 0; t < run.count; ++t)
    std::copy_n(row_of(x, head, run[t]), width, room + t * width);
  return {room, width, 0};
}

// Keys as a patch reads them: at length 1 where their lengths are known.
Rows keys_of_run(const Attention& a, std::size_t head, const Run& run, const real* lengths,
                 real* room) {
  if (lengths == nullptr) return rows_of_run(a.k, head, run, a.d, room);
  for (std::size_t t = 0; t < run.count; ++t) {
    const real* const x = row_of(a.k, head, run[t]);
    const real share = 1 / lengths[head * a.n + run[t]];
    for (std::size_t c = 0; c < a.d; ++c) room[t * a.d + c] = x[c] * share;
  }
  return {room, a.d, 0};
}

// The slope of a key of length 1 becomes that of the row that was brought there.
void to_rows(const Attention& a, std::size_t head, const Run& run, const real* lengths,
             const real* keys, real* slopes) {
  for (std::size_t t = 0; t < run.count; ++t) {
    const real* const k = keys + t * a.d;
    const real share = 1 / lengths[head * a.n + run[t]];
    real* const slope = slopes + t * a.d;
    const real along = dot(k, slope, a.d);
    for (std::size_t c = 0; c < a.d; ++c) slope[c] = (slope[c] - along * k[c]) * share;
  }
}

void add_rows(const real* from, std::size_t head, const Run& run, std::size_t width, Place to) {
  for (std::size_t t = 0; t < run.count; ++t)
    add_row(from + t * width, 1, row_of(to, head, run[t]), width);
}

Attention of_patch(const Attention& a, const Patch& patch) {
  Attention part;
  part.m = patch.queries.count;
  part.n = patch.keys.count;
  part.d = a.d;
  part.dv = a.dv;
  part.scale = a.scale;
  part.cap = a.cap;
  part.before = patch.before;
  part.after = patch.after;
  part.offset = patch.offset;
  if (patch.mask != nullptr) part.mask = {patch.mask, patch.mask_of_keys ? 0 : part.n, 0};
  if (patch.bias != nullptr) part.bias = {patch.bias, part.n, 0};
  return part;
}

// What each call of a patch needs of room, one behind the other. Kept from patch to patch.
class Room {
 public:
  void fit(std::size_t size) {
    room_.fit(size);
    next_ = room_.data();
  }
  real* take(std::size_t size) {
    real* const part = next_;
    next_ += size;
    return part;
  }

 private:
  Buffer<real> room_;
  real* next_ = nullptr;
};

class Forwards : public PatchVisitor {
 public:
  Forwards(const Attention& a, Place out, Statistics whole, const real* lengths, std::size_t head)
      : a_(a), out_(out), whole_(whole), lengths_(lengths), head_(head) {
    for (std::size_t i = 0; i < a.m; ++i) std::fill_n(row_of(out, head, i), a.dv, real(0));
    std::fill_n(whole.largest, a.m, none);
    std::fill_n(whole.sum, a.m, real(0));
  }

  void visit(const Patch& patch) override {
    const std::size_t m = patch.queries.count, n = patch.keys.count;
    if (m == 0 || n == 0) return;
    room_.fit(m * (a_.d + a_.dv + 2) + n * (a_.d + a_.dv));
    Attention part = of_patch(a_, patch);
    part.q = rows_of_run(a_.q, head_, patch.queries, a_.d, room_.take(m * a_.d));
    part.k = keys_of_run(a_, head_, patch.keys, lengths_, room_.take(n * a_.d));
    part.v = rows_of_run(a_.v, head_, patch.keys, a_.dv, room_.take(n * a_.dv));
    real *const largest = room_.take(m), *const sum = room_.take(m);
    const Run& queries = patch.queries;
    if (queries.list == nullptr && untouched(queries)) {  // nothing to join
      attend(part, {row_of(out_, head_, queries.first), out_.row * queries.step, 0},
             {largest, sum});
      for (std::size_t t = 0; t < m; ++t) {
        whole_.largest[queries[t]] = largest[t];
        whole_.sum[queries[t]] = sum[t];
      }
      return;
    }
    real* const context = room_.take(m * a_.dv);
    attend(part, {context, a_.dv, 0}, {largest, sum});
    for (std::size_t t = 0; t < m; ++t) join(queries[t], context + t * a_.dv, largest[t], sum[t]);
  }

 private:
  bool untouched(const Run& queries) const {
    for (std::size_t t = 0; t < queries.count; ++t) {
      if (whole_.sum[queries[t]] != 0) return false;
    }
    return true;
  }

  // Largest scores are in units of log 2.
  void join(std::size_t i, const real* context, real largest, real sum) {
    if (sum == 0) return;
    real &most = whole_.largest[i], &total = whole_.sum[i];
    const real top = most > largest ? most : largest;
    const real before = total == 0 ? real(0) : total * std::exp2(most - top);
    const real now = sum * std::exp2(largest - top);
    most = top;
    total = before + now;
    using kernels::Batch;
    const Batch old_share(before / total), new_share(now / total);
    real* const to = row_of(out_, head_, i);
    kernels::map(std::span<const real>(context, a_.dv), std::span<const real>(to, a_.dv),
                 std::span<real>(to, a_.dv),
                 [&](Batch one, Batch old) { return one * new_share + old * old_share; });
  }

  const Attention& a_;
  Place out_;
  Statistics whole_;
  const real* lengths_;
  std::size_t head_;
  Room room_;
};

class Backwards : public PatchVisitor {
 public:
  Backwards(const Attention& a, Rows out, Statistics whole, Rows slope, const Gradients& to,
            BiasSlopes* bias, const real* lengths, std::size_t head)
      : a_(a),
        out_(out),
        whole_(whole),
        slope_(slope),
        to_(to),
        bias_(bias),
        lengths_(lengths),
        head_(head) {
    for (std::size_t i = 0; i < a.m && begins(to.q); ++i)
      std::fill_n(row_of(to.q, head, i), a.d, real(0));
    for (std::size_t j = 0; j < a.n; ++j) {
      if (begins(to.k)) std::fill_n(row_of(to.k, head, j), a.d, real(0));
      if (begins(to.v)) std::fill_n(row_of(to.v, head, j), a.dv, real(0));
    }
  }

  // With the largest score, the sum and the context of whole rows, the gradients of a patch are its share.
  void visit(const Patch& patch) override {
    const std::size_t m = patch.queries.count, n = patch.keys.count, d = a_.d, dv = a_.dv;
    if (m == 0 || n == 0) return;
    const bool biased = patch.bias != nullptr && bias_ != nullptr;
    room_.fit(m * (2 * d + 2 * dv + 3) + 2 * n * (d + dv) + (biased ? m * n : 0));
    Attention part = of_patch(a_, patch);
    part.q = rows_of_run(a_.q, head_, patch.queries, d, room_.take(m * d));
    part.k = keys_of_run(a_, head_, patch.keys, lengths_, room_.take(n * d));
    part.v = rows_of_run(a_.v, head_, patch.keys, dv, room_.take(n * dv));
    const Rows out = rows_of_run(out_, head_, patch.queries, dv, room_.take(m * dv));
    const Rows slope = rows_of_run(slope_, head_, patch.queries, dv, room_.take(m * dv));
    real *const largest = room_.take(m), *const sum = room_.take(m), *const mean = room_.take(m);
    for (std::size_t t = 0; t < m; ++t) {
      largest[t] = whole_.largest[patch.queries[t]];
      sum[t] = whole_.sum[patch.queries[t]];
      mean[t] = whole_.mean == nullptr ? real(0) : whole_.mean[patch.queries[t]];
    }
    real *const dq = room_.take(m * d), *const dk = room_.take(n * d),
                *const dv_rows = room_.take(n * dv);
    const Place slopes{biased ? room_.take(m * n) : nullptr, n, 0};
    attend_backward(part, out, {largest, sum, mean}, slope,
                    {{dq, d, 0}, {dk, d, 0}, {dv_rows, dv, 0}, slopes});
    if (biased) bias_->add(head_, patch, slopes.data);
    if (lengths_ != nullptr) to_rows(a_, head_, patch.keys, lengths_, part.k.data, dk);
    add_rows(dq, head_, patch.queries, d, to_.q);
    add_rows(dk, head_, patch.keys, d, to_.k);
    add_rows(dv_rows, head_, patch.keys, dv, to_.v);
  }

 private:
  // Heads that share a gradient add to that of the first.
  [[nodiscard]] bool begins(const Place& x) const { return !x.follows(head_); }

  const Attention& a_;
  Rows out_;
  Statistics whole_;
  Rows slope_;
  const Gradients& to_;
  BiasSlopes* bias_;
  const real* lengths_;
  std::size_t head_;
  Room room_;
};

Statistics of_head(const Statistics& all, std::size_t head, std::size_t m) {
  return {all.largest + head * m, all.sum + head * m,
          all.mean == nullptr ? nullptr : all.mean + head * m};
}

class Counter : public PatchVisitor {
 public:
  void visit(const Patch& patch) override {
    const auto n = static_cast<std::ptrdiff_t>(patch.keys.count);
    for (std::size_t t = 0; t < patch.queries.count; ++t) {
      const std::ptrdiff_t at = static_cast<std::ptrdiff_t>(t) + patch.offset;
      const auto first = std::clamp<std::ptrdiff_t>(at - patch.before, 0, n);
      const auto last = std::clamp<std::ptrdiff_t>(at + patch.after + 1, first, n);
      pairs += static_cast<std::uint64_t>(last - first);
    }
  }
  std::uint64_t pairs = 0;
};

}  // namespace

void attend_patches(const Attention& a, const Patches& patches, Place out, Statistics statistics,
                    const real* lengths) {
  Buffer<real> own(statistics.sum == nullptr ? 2 * a.m : 0);
  for (std::size_t h = 0; h < a.heads; ++h) {
    const Statistics head = statistics.sum == nullptr ? Statistics{own.data(), own.data() + a.m}
                                                      : of_head(statistics, h, a.m);
    Forwards forwards(a, out, head, lengths, h);
    patches.each(h, forwards);
  }
}

void attend_patches_backward(const Attention& a, const Patches& patches, Rows out,
                             Statistics statistics, Rows out_gradient, const Gradients& gradients,
                             BiasSlopes* bias, const real* lengths) {
  for (std::size_t h = 0; h < a.heads; ++h) {
    Backwards backwards(a, out, of_head(statistics, h, a.m), out_gradient, gradients, bias, lengths,
                        h);
    patches.each(h, backwards);
  }
}

std::uint64_t pairs_of(const Patches& patches, std::size_t head) {
  Counter counter;
  patches.each(head, counter);
  return counter.pairs;
}

}  // namespace attend::fused
