// SPDX-License-Identifier: Apache-2.0
// What 200 steps beside PyTorch do not show: momentum that looks ahead, and where schedules begin and end, in numbers
// that are worked out by hand.
#include "training/optimiser.h"

#include <doctest/doctest.h>

namespace attend::optimiser_test {

TEST_CASE("momentum gathers slopes, and Nesterov's looks one step ahead along it") {
  for (const bool nesterov : {false, true}) {
    CAPTURE(nesterov);
    OptimiserSettings settings{.kind = OptimiserSettings::Kind::sgd};
    settings.momentum = 0.9;
    settings.nesterov = nesterov;
    Moments moments{{0}, {}};
    std::vector<real> weight{0};
    const std::vector<real> slope{1};
    // The gathered slope is 1, 1.9, 2.71; ahead of it 1.9, 2.71, 3.439.
    const std::vector<double> expected =
        nesterov ? std::vector{-.19, -.461, -.8049} : std::vector{-.1, -.29, -.561};
    for (std::size_t step = 0; step < expected.size(); ++step) {
      optimise(settings, 0.1, step + 1, 1, weight, slope, moments);
      CHECK(static_cast<double>(weight[0]) == doctest::Approx(expected[step]).epsilon(1e-6));
    }
  }
}

TEST_CASE("a schedule is whole at the end of the warm-up, and at its end at the last step") {
  using How = Schedule::Kind;
  constexpr std::uint64_t steps = 12;
  for (const How kind : {How::linear, How::cosine}) {
    for (const std::uint64_t warmup : {0U, 1U, 4U, 11U}) {
      const Schedule schedule{kind, warmup, .1};
      const std::uint64_t whole = warmup == 0 ? 0 : warmup - 1;  // steps taken before
      for (std::uint64_t step = 0; step < whole; ++step)
        CHECK(schedule.factor(step, steps) ==
              doctest::Approx(static_cast<double>(step + 1) / static_cast<double>(warmup)));
      CHECK(schedule.factor(whole, steps) == 1);
      CHECK(schedule.factor(whole + 1, steps) < 1);
      CHECK(schedule.factor(steps - 1, steps) == doctest::Approx(.1));
      CHECK(schedule.factor(steps + 5, steps) == doctest::Approx(.1));  // beyond its steps it stays
    }
  }
  // Half of the way down: of 4 steps to 12 it is step 8, the eighth.
  CHECK(Schedule{How::linear, 4, .1}.factor(7, steps) == doctest::Approx(.55));
  CHECK(Schedule{How::cosine, 4, .1}.factor(7, steps) == doctest::Approx(.55));
  CHECK(Schedule{How::inverse_square_root, 4, 0}.factor(3, steps) == 1);
  CHECK(Schedule{How::inverse_square_root, 4, 0}.factor(15, steps) == doctest::Approx(.5));
  CHECK(Schedule{How::constant, 0, .1}.factor(steps - 1, steps) == 1);
}

}  // namespace attend::optimiser_test
