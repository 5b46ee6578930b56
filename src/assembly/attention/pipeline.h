// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

namespace attend {

// Records the general attention module between its ports and its results. CONTRIBUTING.md has the order of its
// stages, and which function of a record each of them calls.
void attend_generally(Assembler& assembler, const Scope& in);

}  // namespace attend
