// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ops/program.h"

namespace attend {

// The same program in which what a result holds is given, not computed: by a new leaf of its shape,
// read by all that read the node. Where the node comes out of a scan, every step reads its own row
// of the leaf. Comes before the other passes.
Program with_given(const Program& program, const std::string& result, const std::string& leaf);

}  // namespace attend
