// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "catalogue/reference.h"

namespace attend {

// What a decoder sees at a step, by plain loops; no weights where it does not attend.
struct SeenRow {
  Row weights, context;
};

// The results of a decoder with a gated recurrent unit by plain loops; `look` is asked with a state.
Arrays decoder_by_loops(const ReferenceIn& in,
                        const std::function<SeenRow(const Row& state)>& look);

}  // namespace attend
