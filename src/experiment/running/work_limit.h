// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/plan.h"
#include "ops/program.h"

namespace attend {

// How long each node that is needed is estimated to compute; 0 for all others.
std::vector<double> seconds_by_node(const Graph& graph, const std::vector<bool>& needed);

// Throws where a program would compute for longer than is allowed, before anything runs. Whoever knows the modules'
// places (ops/module_places.h) has the one told that takes the most time.
void check_work(const Program& program, const Plan& plan);

}  // namespace attend
