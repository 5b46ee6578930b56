// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/program.h"

namespace attend {

// Products with the transpose of a leaf whose numbers lie elsewhere read it where it lies: no transposed copy is made.
// Nodes keep their ids.
Program read_in_place(const Program& program);

}  // namespace attend
