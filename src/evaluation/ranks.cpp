// SPDX-License-Identifier: Apache-2.0
#include "evaluation/ranks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace attend {
namespace {
constexpr double none = std::numeric_limits<double>::quiet_NaN();
}

std::vector<double> ranks_of(std::span<const double> x) {
  std::vector<std::size_t> order(x.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return x[a] < x[b]; });
  std::vector<double> ranks(x.size());
  for (std::size_t first = 0; first < order.size();) {
    std::size_t last = first;
    while (last + 1 < order.size() && x[order[last + 1]] == x[order[first]]) ++last;
    const double rank = static_cast<double>(first + last) / 2 + 1;
    for (std::size_t k = first; k <= last; ++k) ranks[order[k]] = rank;
    first = last + 1;
  }
  return ranks;
}

double pearson(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  const double mx = std::accumulate(x.begin(), x.end(), 0.) / n;
  const double my = std::accumulate(y.begin(), y.end(), 0.) / n;
  double xx = 0, yy = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
    xy += (x[i] - mx) * (y[i] - my);
  }
  return xx > 0 && yy > 0 ? xy / std::sqrt(xx * yy) : none;
}

double spearman(std::span<const double> x, std::span<const double> y) {
  return pearson(ranks_of(x), ranks_of(y));
}

double kendall(std::span<const double> x, std::span<const double> y) {
  double same = 0, other = 0, tied_x = 0, tied_y = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      const double dx = x[i] - x[j], dy = y[i] - y[j];
      if (dx == 0 && dy == 0) continue;
      if (dx == 0) {
        ++tied_x;
      } else if (dy == 0) {
        ++tied_y;
      } else {
        ((dx > 0) == (dy > 0) ? same : other) += 1;
      }
    }
  }
  const double root = std::sqrt((same + other + tied_x) * (same + other + tied_y));
  return root > 0 ? (same - other) / root : none;
}

}  // namespace attend
