// SPDX-License-Identifier: Apache-2.0
#include "ops/progress.h"

#include <algorithm>
#include <utility>

namespace attend {
namespace {

// As fine as a reader can see it grow.
constexpr double grain = 0.01;

}  // namespace

Progress::Progress(std::vector<double> work, Listener listener)
    : work_(std::move(work)), listener_(std::move(listener)) {}

void Progress::begin() { whole_ = done_ = told_ = 0; }

void Progress::part(NodeId node, std::size_t done, std::size_t count) {
  tell(done_ + work_[node] * static_cast<double>(done) / static_cast<double>(count));
}

void Progress::finish(NodeId node) {
  done_ += work_[node];
  tell(done_);
}

void Progress::tell(double done) {
  if (whole_ <= 0 || done / whole_ < told_ + grain) return;
  told_ = std::min(done / whole_, 1.0);  // sums may round up
  listener_(told_);
}

}  // namespace attend
