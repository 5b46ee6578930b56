// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/text/json_parse.h"
#include "tests/fuzz/bytes.h"

namespace attend::fuzz {

// The example of a mechanism, with some changes: any mechanism in any slot, knobs at and beyond
// their bounds, parameters and inputs of other shapes, other outputs and gradients, and now and
// then a value that does not belong where it stands. The bytes decide.
Json made_document(Bytes& bytes);

}  // namespace attend::fuzz
