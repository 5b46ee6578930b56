// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/program.h"

namespace attend {

// x - detach(x) is 0 and has the slope of x. Added to a value without a slope, it gives that value the slope of x. Once
// the gradients are recorded, or if none are requested, it is replaced by the number 0, so that x is not computed for
// it. Nodes keep their ids.
Program without_stand_ins(const Program& program);

}  // namespace attend
