// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "catalogue/mechanism.h"
#include "kernels/real.h"

namespace attend {

// What decides a draw besides its name. Step 0 and example 0 draw what a document draws.
struct DrawKey {
  std::uint64_t seed = 0, step = 0, example = 0;
};

// The numbers of a parameter that no document gives, from the key and the parameter's name.
// Weights are normal with variance 1 / rows, so that products keep the spread of what comes in;
// biases are zero.
void draw(Distribution distribution, const Shape& shape, const DrawKey& key,
          const std::string& name, std::span<real> place);

// Indices below `below`: as many different ones along the last axis as there can be.
void draw_indices(std::size_t below, const Shape& shape, const DrawKey& key,
                  const std::string& name, std::span<real> place);

std::string_view distribution_name(Distribution distribution);

// Data such as a draw or a subset: chosen, not learned, and with no slope of their own.
bool is_random_data(Distribution distribution);

}  // namespace attend
