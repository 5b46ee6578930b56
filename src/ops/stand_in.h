// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/program.h"

namespace attend {

// x - detach(x) is 0 and has the slope of x: what lends a value that has no slope the slope of another. After the
// gradients are recorded, or where none are asked for, it is the number 0, so that nobody computes x for it. Nodes keep
// their ids.
Program without_stand_ins(const Program& program);

}  // namespace attend
