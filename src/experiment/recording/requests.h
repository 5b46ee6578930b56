// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "assembly/recording.h"
#include "ops/directory.h"

namespace attend {

// What a document writes among its outputs to have a leaf: "parameters.score.W1", "inputs.x".
std::string asked_as(const Leaf& leaf);

// The outputs that a document asks for by name, "weights[3]" being one row, which is recorded for this; without names
// all that are not too large. Throws Error at the name of an output that does not exist.
std::vector<KnownTensor> requested_outputs(Graph& graph, const Directory& directory,
                                           const Recording& recording,
                                           const std::optional<std::vector<std::string>>& names);

}  // namespace attend
