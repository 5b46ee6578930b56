// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

// What the alignments under upper bounds share: how the bounds come about.
namespace attend {

// The caps of this row [.. 1 n]: the parameter `u` where it is given, else what the rows before
// have left of the knob `fertility`; 0 where the mask excludes the key.
Var caps(const AlignmentIn& in);

// For the references: each row from its scores and its caps.
Arrays each_capped_row(const ReferenceIn& in,
                       const std::function<Row(const Row& e, const Row& u)>& align);

}  // namespace attend
