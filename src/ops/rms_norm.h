// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/compose.h"

namespace attend {

// x / sqrt(mean x^2 + eps), over the last axis.
inline Var rms_norm(Var x, Var eps) { return x / sqrt(mean(x * x, -1, true) + eps); }

}  // namespace attend
