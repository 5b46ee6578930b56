// SPDX-License-Identifier: Apache-2.0
// REINFORCE with a moving baseline: what was drawn is made likelier by as much as its loss lies below what is usual.
//   d E[L] = E[ dL + (L - b) d log p(draws) ]
// Williams 1992, doi:10.1007/BF00992696
#include "experiment/learning/learner.h"

namespace attend {
namespace {
constexpr double remembered = 0.9;  // share of the baseline that stays at a step
}  // namespace

double Learner::usual_before(Numbers losses) {
  double mean = 0;
  for (const real one : losses)
    mean += static_cast<double>(one) / static_cast<double>(losses.size());
  const double usual = baseline_.value_or(mean);
  baseline_ = remembered * usual + (1 - remembered) * mean;
  return usual;
}

LearnProgram& Learner::scored(const Examples& batch, const Run& run, double usual) {
  LearnProgram& scoring = filled(score_, *scored_, batch, run, Purpose::scores);
  const std::span<real> rewards = scoring.work().write(scoring.reward());
  // What fills the program up is not rewarded.
  for (std::size_t i = 0; i < rewards.size(); ++i)
    rewards[i] =
        i < run.count ? static_cast<real>(static_cast<double>(losses_[run.first + i]) - usual) : 0;
  scoring.evaluate();
  return scoring;
}

}  // namespace attend
