// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/parts/cores/core_parts.h"

namespace attend {

// Attention whose keys fade out with their distance x: a_ij in proportion to m_z(x) e^{e_ij},
// m_z(x) = clip((R + z - x) / R, 0, 1). The spans z are [.. 1 1] or [.. m 1]; R is the knob `R`.
Weighing faded(const CoreIn& in, Var z);

// The row i of the same by plain loops, its span being z.
Row faded_row(const ReferenceIn& in, std::size_t i, double z);

}  // namespace attend
