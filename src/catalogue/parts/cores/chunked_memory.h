// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/parts/cores/recurrent_memory.h"

namespace attend {

// The same as the steps of a memory, memory.chunk rows at a time: what they write, erase and read among themselves by
// products of matrices, and what they read of the memory before them. Without the states between.
Remembered remembered_in_chunks(const CoreIn& in, const Memory& memory, Var v,
                                const Finish& finish);

}  // namespace attend
