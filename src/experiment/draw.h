// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "catalogue/mechanism.h"
#include "kernels/real.h"

namespace attend {

// The numbers of a parameter that no document gives, from the seed and the parameter's name.
// Weights are normal with variance 1 / rows, so that products keep the spread of what comes in;
// biases are zero.
std::vector<real> draw(Distribution distribution, const Shape& shape, std::uint64_t seed,
                       const std::string& name);

std::string_view distribution_name(Distribution distribution);

// Data such as a draw or a subset: chosen, not learned, so there is no gradient to it.
bool is_random_data(Distribution distribution);

}  // namespace attend
