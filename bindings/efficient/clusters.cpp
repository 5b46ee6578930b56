// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "bindings/efficient/landmarks.h"
#include "fused/feature_sums.h"

namespace attend::fused {
namespace {

// sums [c width] of the rows of each cluster.
void gather(const Clusters& x, Rows rows, std::size_t head, std::size_t width, real* sums) {
  std::fill_n(sums, x.c * width, real(0));
  for (std::size_t i = 0; i < x.a.m; ++i)
    add_row(row_of(rows, head, i), 1, sums + x.of[i] * width, width);
}

// One head's call on the means of the clusters.
class Means {
 public:
  explicit Means(const Clusters& x) : x_(x), shares_(x.c), means_(x.c * x.a.d) {
    std::fill_n(shares_.data(), x.c, real(0));
    for (std::size_t i = 0; i < x.a.m; ++i) shares_.data()[x.of[i]] += 1;
    for (std::size_t c = 0; c < x.c; ++c)
      shares_.data()[c] = 1 / std::max(shares_.data()[c], real(1));
  }
  [[nodiscard]] real share(std::size_t cluster) const { return shares_.data()[cluster]; }
  Attention of_head(std::size_t head) {
    gather(x_, x_.a.q, head, x_.a.d, means_.data());
    for (std::size_t c = 0; c < x_.c; ++c) {
      for (std::size_t t = 0; t < x_.a.d; ++t) means_.data()[c * x_.a.d + t] *= share(c);
    }
    Attention part = x_.a;
    part.heads = 1;
    part.m = x_.c;
    part.q = {means_.data(), x_.a.d, 0};
    part.k.data = row_of(x_.a.k, head, 0);
    part.v.data = row_of(x_.a.v, head, 0);
    return part;
  }

 private:
  const Clusters& x_;
  Buffer<real> shares_, means_;
};

}  // namespace

void attend_clusters(const Clusters& x, Place out) {
  Means means(x);
  Buffer<real> contexts(x.c * x.a.dv);
  for (std::size_t h = 0; h < x.a.heads; ++h) {
    attend(means.of_head(h), {contexts.data(), x.a.dv, 0});
    for (std::size_t i = 0; i < x.a.m; ++i)
      std::copy_n(contexts.data() + x.of[i] * x.a.dv, x.a.dv, row_of(out, h, i));
  }
}

void attend_clusters_backward(const Clusters& x, Rows out_gradient, const Gradients& gradients) {
  const std::size_t d = x.a.d, dv = x.a.dv;
  Means means(x);
  Buffer<real> room(x.c * (2 * dv + d + 2));
  real *const contexts = room.data(), *const slopes = contexts + x.c * dv,
              *const dq = slopes + x.c * dv, *const largest = dq + x.c * d,
              *const sum = largest + x.c;
  for (std::size_t h = 0; h < x.a.heads; ++h) {
    const Attention part = means.of_head(h);
    attend(part, {contexts, dv, 0}, {largest, sum});
    gather(x, out_gradient, h, dv, slopes);
    attend_backward(part, {contexts, dv, 0}, {largest, sum}, {slopes, dv, 0},
                    {{dq, d, 0},
                     {row_of(gradients.k, h, 0), gradients.k.row, 0},
                     {row_of(gradients.v, h, 0), gradients.v.row, 0},
                     {}});
    for (std::size_t i = 0; i < x.a.m; ++i) {
      real* const to = row_of(gradients.q, h, i);
      std::fill_n(to, d, real(0));
      add_row(dq + x.of[i] * d, means.share(x.of[i]), to, d);
    }
  }
}

}  // namespace attend::fused
