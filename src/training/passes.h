// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/program.h"

// Passes by which training extends a batched program before its gradients.
namespace attend {

// The name of the leaf of noise that with_dropout adds for a result: "dropout.NAME".
std::string dropout_key(std::string_view name);

// Multiplies what these results hand on by new leaves of noise of their shapes. The results themselves do not change.
Program with_dropout(const Program& program, const std::vector<std::string>& names);

// Adds a result "guided": loss + weight * how much the map, averaged over its heads, lacks where the truth looks. The
// truth is a new leaf "guide" [batch rows columns] whose rows sum to 1, or to 0 where it is unknown. Both results lead
// with the axis over the examples.
Program with_guide(const Program& program, const std::string& loss, const std::string& map,
                   double weight);

// Adds a result "rewarded": the sum of these maps times a new leaf "reward", one number an example. Maps whose weights
// sum to a constant but have the slope of a choice's log chance make it REINFORCE's gradient.
Program with_reward(const Program& program, const std::vector<std::string>& maps);

}  // namespace attend
