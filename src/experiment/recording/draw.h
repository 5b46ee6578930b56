// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "assembly/recording.h"
#include "kernels/real.h"

namespace attend {

// What decides a draw besides its name. Step 0 and example 0 draw what a document draws.
struct DrawKey {
  std::uint64_t seed = 0, step = 0, example = 0;
};

// What has to be known of a parameter to draw its numbers.
struct Drawn {
  std::string name;
  Distribution distribution = Distribution::weight;
  Shape shape;
  // Of indices: the number that they lie below. 0: they are the places of the parameter itself.
  std::size_t below = 0;
  double start = 0;  // of a stated parameter: its number
};

// What a leaf without given numbers draws.
Drawn drawn_of(const Leaf& leaf);

// The numbers of a parameter that no document gives, from the key and the parameter's name.
// Weights are normal with variance 1 / rows, so that products keep the spread of what comes in;
// biases are zero. Of indices as many along the last axis are different as there can be.
void draw(const Drawn& drawn, const DrawKey& key, std::span<real> place);

std::string_view distribution_name(Distribution distribution);

// Data such as a draw or a subset: chosen, not learned, and with no slope of their own.
bool is_random_data(Distribution distribution);

// Whether a leaf is what the first step reads in place of the step before it (attention weights, a coverage): a 0 for
// each position, of which a longer example has more. Nothing is learned there.
bool starts_at_zero(const Leaf& leaf);

}  // namespace attend
