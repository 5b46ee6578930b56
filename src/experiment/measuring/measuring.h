// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/text/json_parse.h"

namespace attend {

// Answers a measurement: {"measure": .., "document": .., inputs .., "examples": [..]}, as
// docs/measures.md says. One result, or a list of them where `measure` is a list.
Json answer_measurement(const Json& measurement);

}  // namespace attend
