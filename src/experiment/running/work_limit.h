// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/plan.h"
#include "ops/program.h"

namespace attend {

// How long each node that is needed is estimated to compute; 0 for all others.
std::vector<double> seconds_by_node(const Graph& graph, const std::vector<bool>& needed);

// Throws Error if a program would compute for longer than is allowed, before anything runs. The error names the module
// that takes the most time, if the modules' places are known (ops/module_places.h).
void check_work(const Program& program, const Plan& plan);

}  // namespace attend
