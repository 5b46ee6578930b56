// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <vector>

namespace attend {

// Steps down a slope by Adam (Kingma, Ba 2015), for measures that search.
class Adam {
 public:
  Adam(std::size_t size, double rate) : rate_(rate), mean_(size), square_(size) {}

  void step(std::vector<double>& x, const std::vector<double>& slope) {
    ++count_;
    const double first = 1 - std::pow(.9, count_), second = 1 - std::pow(.999, count_);
    for (std::size_t i = 0; i < x.size(); ++i) {
      mean_[i] = .9 * mean_[i] + .1 * slope[i];
      square_[i] = .999 * square_[i] + .001 * slope[i] * slope[i];
      x[i] -= rate_ * (mean_[i] / first) / (std::sqrt(square_[i] / second) + 1e-8);
    }
  }

 private:
  double rate_, count_ = 0;
  std::vector<double> mean_, square_;
};

}  // namespace attend
