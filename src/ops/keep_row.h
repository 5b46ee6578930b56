// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

namespace attend {

// The rows that the steps of a program keep, with those of this step among them. `rows` is a leaf that nothing else
// reads; `own` has one row along `axis`; `place` [count 1 ..] is not 0 at the rows that become `own`. The result lies
// where `rows` does, and nothing but these rows is written.
Var keep_row(Var rows, Var own, Var place, std::size_t axis);

}  // namespace attend
