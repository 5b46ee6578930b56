// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

namespace attend {

// Records the general attention module between its ports and its results: query model -> heads'
// projections -> score -> position terms -> masks -> alignment -> aggregate -> heads' merge -> output.
void attend_generally(Assembler& assembler, const Scope& in);

}  // namespace attend
