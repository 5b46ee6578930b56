// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ops/program.h"

namespace attend {

// The way back of a scan records its step again, to take the gradients of that step. What it would compute again is
// kept in the scan instead, as more outputs, and the way back reads it as rows. The numbers are the same, in more
// memory: a way back whose steps have more than `most_numbers` numbers together stays as it is.
Program with_kept_steps(const Program& program, std::size_t most_numbers = std::size_t{1} << 24U);

}  // namespace attend
