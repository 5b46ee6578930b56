// SPDX-License-Identifier: Apache-2.0
// A step in shares: the gradients of parts of a batch, which one learner computes one after another, or several
// learners beside each other. A loss is that of one example, and what is drawn goes by an example's place in the
// batch, so a share needs nothing of the others (docs/adr/0076).
#include <algorithm>

#include "experiment/learning/learner.h"
#include "training/optimiser.h"

namespace attend {
namespace {

// The examples of one share of a batch.
struct Part {
  std::size_t first, count;
};

Part part_of_batch(std::size_t examples, std::size_t shares, std::size_t share) {
  const std::size_t first = share * examples / shares;
  return {first, (share + 1) * examples / shares - first};
}

std::size_t largest_part(std::size_t examples, std::size_t shares) {
  return (examples + shares - 1) / shares;
}

}  // namespace

std::size_t Learner::shares() const {
  return std::min(lesson_.settings.shares, lesson_.settings.batch);
}

std::size_t Learner::examples_in_share() const {
  return largest_part(lesson_.settings.batch, shares());
}

std::size_t Learner::share_size() const { return weights() + examples_in_share(); }

// Computes a share and writes what it hands on: its gradients, and behind them the loss of each of its examples. Shares
// of all sizes use the program of the largest, so that none is recorded for the others.
void Learner::compute_share(const Examples& batch, std::size_t share) {
  const std::size_t shares = std::min(lesson_.settings.shares, batch.size());
  const auto [first, count] = part_of_batch(batch.size(), shares, share);
  const Slopes slopes = slopes_of(batch, {first, count, largest_part(batch.size(), shares)});
  auto room = shares_.begin() + static_cast<std::ptrdiff_t>(share * (shares_.size() / shares));
  for (const Numbers& gradient : slopes.of)
    room = std::copy(gradient.begin(), gradient.end(), room);
  std::copy_n(slopes.losses.begin(), count, room);
}

StepReport Learner::step_in_shares(const Examples& examples, const Together& together) {
  const std::size_t shares = std::min(lesson_.settings.shares, examples.size());
  const std::size_t size = largest_part(examples.size(), shares), each = weights() + size;
  shares_.resize(shares * each);
  const auto compute_shares = [&](bool own) {
    for (std::size_t share = 0; share < shares; ++share) {
      if ((share % together.workers == together.worker) == own) compute_share(examples, share);
    }
  };
  compute_shares(true);
  if (together.workers > 1 && !together.meet(shares_, each)) {
    if (together.worker != 0) return {step_, 0, 0, 0, {}, false};
    compute_shares(false);
  }
  // Also for a learner that had no share to compute: without forms all shares have one program, and with them the sums
  // go by the list of weights.
  Slopes slopes = forms_.empty()
                      ? slopes_of(program(learn_, *examples.front(), size, Purpose::learns))
                      : empty_sums();
  std::size_t gradients = 0;
  for (Numbers& gradient : slopes.of) {
    gradient = Numbers(shares_).subspan(gradients, gradient.size());
    gradients += gradient.size();
  }
  const std::span<real> sum(shares_.data(), gradients);
  std::vector<real> losses;
  for (std::size_t share = 0; share < shares; ++share) {
    const std::span<const real> own(shares_.data() + share * each, each);
    if (share > 0) add_gradients(sum, own.first(gradients));
    const auto ours = own.subspan(gradients, part_of_batch(examples.size(), shares, share).count);
    losses.insert(losses.end(), ours.begin(), ours.end());
  }
  slopes.losses = losses;
  return advance(slopes);
}

}  // namespace attend
