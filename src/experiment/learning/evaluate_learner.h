// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/learning/learner.h"
#include "experiment/text/json_parse.h"

namespace attend {

// Measures of docs/measures.md for a model under training. `request`: {"examples": how many held-out ones, "measures":
// [ids]}; without `measures` all that read what held-out examples give: what the model wrote and should have written,
// its map and the true links. Measures of a whole model are asked for by name, and read the pinned example. Throws
// Error.
Json evaluate_learner(Learner& learner, const Json& request);

}  // namespace attend
