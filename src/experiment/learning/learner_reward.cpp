// SPDX-License-Identifier: Apache-2.0
// REINFORCE with a moving baseline: what was drawn is made likelier by as much as its loss lies below what is usual.
//   d E[L] = E[ dL + (L - b) d log p(draws) ]
// Williams 1992, doi:10.1007/BF00992696
#include <algorithm>
#include <functional>

#include "experiment/learning/learner.h"

namespace attend {
namespace {
constexpr double remembered = 0.9;  // share of the baseline that stays at a step
}  // namespace

// The loss's own gradients were computed with the draws as they fell; the same draws are scored by a second program.
void Learner::add_rewards(LearnProgram& learning, const Examples& examples, const Examples& read) {
  const Numbers losses = learning.work()[learning.loss()];
  double mean = 0;
  for (const real one : losses)
    mean += static_cast<double>(one) / static_cast<double>(losses.size());
  const double usual = baseline_.value_or(mean);
  LearnProgram& scoring = program(score_, *examples.front(), examples.size(), Purpose::scores);
  scoring.feed(*scored_, examples, read);
  write_weights(scoring);
  draw_noise(scoring);
  const std::span<real> rewards = scoring.work().write(scoring.reward());
  for (std::size_t i = 0; i < rewards.size(); ++i)
    rewards[i] = static_cast<real>(static_cast<double>(losses[i]) - usual);
  scoring.evaluate();
  baseline_ = remembered * usual + (1 - remembered) * mean;
  added_.assign(weights_.size(), {});
  for (LearnProgram* program : {&learning, &scoring}) {
    for (const LearnProgram::Weight& weight : program->weights()) {
      if (!weight.learns || !weight.place) continue;
      std::vector<real>& sum = added_[*weight.place];
      const Numbers more = program->work()[weight.gradient];
      sum.resize(more.size(), 0);
      std::transform(more.begin(), more.end(), sum.begin(), sum.begin(), std::plus<>());
    }
  }
}

}  // namespace attend
