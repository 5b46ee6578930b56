// SPDX-License-Identifier: Apache-2.0
// What 200 steps beside PyTorch do not show: momentum that looks ahead, in numbers that are worked out by hand.
#include "training/optimiser.h"

#include <doctest/doctest.h>

namespace attend {

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

}  // namespace attend
