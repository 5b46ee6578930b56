// SPDX-License-Identifier: Apache-2.0
// A step in shares: the gradients of parts of a batch, which one learner computes one after another, or several
// learners beside each other. A loss is that of one example, and what is drawn goes by an example's place in the
// batch, so a share needs nothing of the others (docs/adr/0076).
#include <algorithm>
#include <functional>

#include "experiment/learning/learner.h"

namespace attend {

std::size_t Learner::shares() const {
  return std::min(lesson_.settings.shares, lesson_.settings.batch);
}

std::size_t Learner::share_size() const {
  return weights() + (lesson_.settings.batch + shares() - 1) / shares();
}

// Computes a share and writes what it hands on: its gradients, and behind them the loss of each of its examples.
LearnProgram& Learner::compute_share(const Examples& batch, std::size_t share) {
  const std::size_t shares = std::min(lesson_.settings.shares, batch.size());
  const std::size_t first = share * batch.size() / shares;
  LearnProgram& learning = compute(batch, first, (share + 1) * batch.size() / shares - first);
  const Slopes slopes = slopes_of(learning);
  auto room = shares_.begin() + static_cast<std::ptrdiff_t>(share * (shares_.size() / shares));
  for (const Numbers& gradient : slopes.of)
    room = std::copy(gradient.begin(), gradient.end(), room);
  std::copy(slopes.losses.begin(), slopes.losses.end(), room);
  return learning;
}

StepReport Learner::step_in_shares(const Examples& examples, const Together& together) {
  const std::size_t shares = std::min(lesson_.settings.shares, examples.size());
  const std::size_t each = weights() + (examples.size() + shares - 1) / shares;
  if (together.worker >= together.workers || together.workers > shares)
    refuse("", "expected a worker from 0 to " + std::to_string(shares - 1) +
                   ", because the batch has " + std::to_string(shares) + " shares; found worker " +
                   std::to_string(together.worker) + " of " + std::to_string(together.workers));
  shares_.resize(shares * each);
  LearnProgram* last = nullptr;
  for (std::size_t share = together.worker; share < shares; share += together.workers)
    last = &compute_share(examples, share);
  if (together.workers > 1 && !together.meet(shares_, each)) {
    if (together.worker != 0) return {step_, 0, 0, 0, {}, false};
    for (std::size_t share = 0; share < shares; ++share) {
      if (share % together.workers != 0) last = &compute_share(examples, share);
    }
  }
  // A program of another share's size has the same weights in the same order.
  Slopes slopes{*last, {}, {}};
  std::size_t gradients = 0;
  const std::vector<Numbers> own = slopes_of(*last).of;
  for (const Numbers& gradient : own) {
    slopes.of.push_back(Numbers(shares_).subspan(gradients, gradient.size()));
    gradients += gradient.size();
  }
  std::vector<real> losses;
  for (std::size_t share = 0; share < shares; ++share) {
    const auto room = shares_.begin() + static_cast<std::ptrdiff_t>(share * each);
    const auto end = room + static_cast<std::ptrdiff_t>(gradients);
    if (share > 0)
      std::transform(shares_.begin(), shares_.begin() + static_cast<std::ptrdiff_t>(gradients),
                     room, shares_.begin(), std::plus<>());
    const std::size_t count =
        (share + 1) * examples.size() / shares - share * examples.size() / shares;
    losses.insert(losses.end(), end, end + static_cast<std::ptrdiff_t>(count));
  }
  slopes.losses = losses;
  return advance(slopes);
}

}  // namespace attend
