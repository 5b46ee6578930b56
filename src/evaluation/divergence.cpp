// SPDX-License-Identifier: Apache-2.0
#include "evaluation/divergence.h"

#include <cmath>

#include "evaluation/rows.h"

namespace attend {

double total_variation(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) sum += std::abs(p[j] - q[j]);
  return sum / 2;
}

double kullback_leibler(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j)
    if (p[j] > 0) sum += p[j] * std::log(p[j] / q[j]);
  return sum;
}

double jensen_shannon(std::span<const double> p, std::span<const double> q) {
  double sum = 0;
  for (std::size_t j = 0; j < p.size(); ++j) {
    const double middle = (p[j] + q[j]) / 2;
    if (p[j] > 0) sum += p[j] * std::log(p[j] / middle) / 2;
    if (q[j] > 0) sum += q[j] * std::log(q[j] / middle) / 2;
  }
  return sum;
}

void examine_distance(const MeasureIn& in, Finding& found, std::string_view one,
                      std::string_view other, Distance distance) {
  in.need_alike(one, other);
  const RowsOf p(in.tensor(one)), q(in.tensor(other));
  std::vector<double> by_row;
  double sum = 0;
  for (std::size_t i = 0; i < p.count(); ++i) {
    by_row.push_back(distance(p[i], q[i]));
    sum += by_row.back();
  }
  found.units.push_back({sum / static_cast<double>(p.count())});
  found.details.push_back({"by row", vector_of(by_row)});
}

}  // namespace attend
