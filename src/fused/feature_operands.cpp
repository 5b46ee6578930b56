// SPDX-License-Identifier: Apache-2.0
#include "fused/feature_operands.h"

#include <algorithm>

#include "fused/feature_attention.h"
#include "fused/feature_sums.h"
#include "ops/cost_rules.h"

namespace attend::fused {

Attributes form_attributes(const Intent& intent) {
  const Features& f = intent.of;
  if (intent.kind == Intent::hashed) {
    return {{static_cast<long>(intent.global), static_cast<long>(intent.c),
             static_cast<long>(intent.l), intent.after == 0 ? 1L : 0L}};
  }
  return {{static_cast<long>(f.map), f.causal ? 1L : 0L, f.divides ? 1L : 0L, f.sum_norm ? 1L : 0L,
           f.gated ? 1L : 0L}};
}

Features features_in(const Attributes& a) {
  return {static_cast<FeatureMap>(a[0]), a[1] != 0, a[2] != 0, a[3] != 0, a[4] != 0};
}

HeadsOf::HeadsOf(const Shape& queries, const Shape& operand)
    : extents_(queries.begin(), queries.end() - 2), strides_(extents_.size(), 0) {
  for (const std::size_t extent : extents_) count_ *= extent;
  std::size_t own = operand.size() < 2 ? 0 : operand.size() - 2;
  for (std::size_t axis = extents_.size(); axis-- > 0 && own > 0;) {
    --own;
    if (operand[own] != 1) strides_[axis] = own_;
    own_ *= operand[own];
  }
}

std::size_t HeadsOf::operator()(std::size_t head) const {
  std::size_t at = 0;
  for (std::size_t axis = extents_.size(); axis-- > 0;) {
    at += head % extents_[axis] * strides_[axis];
    head /= extents_[axis];
  }
  return at;
}

HeadRows::HeadRows(const Forward& f, std::size_t operand, const Shape& shape)
    : room_(0), rows_(rows_in(f.in[operand], shape, batch_of(*f.in_shapes[0]))) {
  const HeadsOf heads(*f.in_shapes[0], shape);
  bool strided = true;
  for (std::size_t h = 0; h < heads.count() && heads.own() > 1; ++h)
    strided = strided && heads(h) == h / rows_.each;
  if (strided) return;
  const std::size_t size = element_count(shape) / heads.own();
  (*room_).resize(heads.count() * size);
  for (std::size_t h = 0; h < heads.count(); ++h)
    std::copy_n(f.in[operand] + heads(h) * size, size, room_.data() + h * size);
  rows_ = {room_.data(), rows_.row, size, 1};
}

HeadNumbers::HeadNumbers(const Forward& f, std::size_t operand, std::size_t rows)
    : room_(batch_of(*f.in_shapes[0]) * rows) {
  const Shape& shape = *f.in_shapes[operand];
  const HeadsOf heads(*f.in_shapes[0], shape);
  const std::size_t own = element_count(shape) / heads.own();
  for (std::size_t h = 0; h < heads.count(); ++h) {
    const real* const from = f.in[operand] + heads(h) * own;
    for (std::size_t t = 0; t < rows; ++t) room_.data()[h * rows + t] = from[own == 1 ? 0 : t];
  }
}

HeadSlopes::HeadSlopes(const Forward& f, GradientPlaces& places, std::size_t operand,
                       std::size_t rows)
    : heads_(*f.in_shapes[0], *f.in_shapes[operand]),
      rows_(rows),
      own_rows_(f.in_shapes[operand]->end()[-2]),
      width_(f.in_shapes[operand]->back()),
      direct_(heads_.own() == heads_.count() && own_rows_ == rows),
      to_(places.take(operand)),
      room_(direct_ ? 0 : heads_.count() * rows * width_) {}

void HeadSlopes::add_up() {
  if (direct_) return;
  const std::size_t size = own_rows_ * width_;
  std::fill_n(to_, heads_.own() * size, real(0));
  for (std::size_t h = 0; h < heads_.count(); ++h) {
    for (std::size_t i = 0; i < rows_; ++i)
      add_row(room_.data() + (h * rows_ + i) * width_, 1,
              to_ + heads_(h) * size + (own_rows_ == 1 ? 0 : i) * width_, width_);
  }
}

FeatureAttention call_of(const Forward& f, const Features& features, const Rows& q, const Rows& k,
                         const Rows& v) {
  FeatureAttention a;
  a.heads = batch_of(*f.in_shapes[0]);
  a.m = f.in_shapes[0]->end()[-2];
  a.d = a.r = f.in_shapes[0]->back();
  a.n = f.in_shapes[1]->end()[-2];
  a.dv = f.in_shapes[2]->back();
  a.q = q;
  a.k = k;
  a.v = v;
  a.map = features.map;
  a.causal = features.causal;
  a.divides = features.divides;
  a.sum_norm = features.sum_norm;
  return a;
}

Cost cost_of_features(const Sizes& s, const Features& features, std::uint64_t products) {
  const Shape &q = *s.in[0], &k = *s.in[1];
  Cost cost = cost::moved(s);
  const std::uint64_t rows = batch_of(q) * (q.end()[-2] + k.end()[-2]), d = q.back();
  const std::uint64_t drawn = is_drawn(features.map) ? s.in[3]->end()[-2] : 0;
  cost.multiply_adds = products + rows * (drawn == 0 ? d : drawn * d);
  if (features.map == FeatureMap::exponential || features.map == FeatureMap::elu_plus_one)
    cost.exponentials = rows * d;
  if (features.map == FeatureMap::positive) cost.exponentials = rows * drawn;
  if (features.map == FeatureMap::fourier) cost.exponentials = 2 * rows * drawn;
  return cost;
}

}  // namespace attend::fused
