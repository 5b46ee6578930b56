// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/compose.h"

// Places of a memory that is looked at again and again: by content, or on from where one was.
namespace attend {

// What moves a head: the gate g between content and place before [.. 1 1], the shift by -1, 0 and
// +1 [.. 1 3], the sharpness gamma [.. 1 1].
struct HeadMove {
  Var gate, shift, sharpness;
};

// The weights [.. 1 n] of a head, from those by content and those before. What moves to a masked
// place is lost. Graves, Wayne, Danihelka 2014, equations 7 to 9.
Var moved_head(Var content, Var before, const HeadMove& move, Var mask = {});

}  // namespace attend
