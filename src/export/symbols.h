// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/program.h"
#include "ops/formula.h"

namespace attend {

// What tells the symbols of a listing apart where several would be the same letter: each bears the name of its module,
// E^{(\text{decoder})}, and a number where one module has several. An input keeps its name.
NodeMarks distinct_symbols(const Listing& program);

}  // namespace attend
