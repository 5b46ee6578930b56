// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/plan.h"
#include "ops/program.h"

namespace attend {

// Throws where a program would compute for longer than is allowed, before anything runs.
void check_work(const Program& program, const Plan& plan);

}  // namespace attend
