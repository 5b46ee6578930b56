// SPDX-License-Identifier: Apache-2.0
#include "evaluation/divergence.h"

#include <cmath>

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

}  // namespace attend
