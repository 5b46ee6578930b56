// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ops/program.h"

namespace attend {

// What a step of a scan computes without carrying a state on is computed for all steps at once: before the scan what
// reads rows alone, behind it what only results read, and sums over the steps as one product where they sum products.
// The scan keeps what one step needs of the step before. Gives the same results but for rounding, faster, in more
// memory; a scan whose numbers of all steps would be more than `most_numbers` stays as it is.
Program hoisted(const Program& program, std::size_t most_numbers = std::size_t{1} << 24U);

}  // namespace attend
