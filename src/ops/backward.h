// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ops/graph.h"

namespace attend {

// Gradients of sum(cotangent * of) with respect to each of `wrt`, recorded in the same graph (so
// they can be differentiated again). cotangent has the shape of `of`. A variable that `of` does not
// depend on differentiably gets zeros.
std::vector<Var> gradients(Var of, Var cotangent, const std::vector<Var>& wrt);

// The same for several at once: the gradients of the sum over all of them.
struct Root {
  Var of, cotangent;
};
std::vector<Var> gradients(const std::vector<Root>& roots, const std::vector<Var>& wrt);

}  // namespace attend
