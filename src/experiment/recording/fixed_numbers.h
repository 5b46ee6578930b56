// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/recording/compile.h"
#include "ops/workspace.h"

namespace attend {

// Writes the numbers of all leaves except those whose numbers lie elsewhere.
void fill(const Compiled& compiled, Workspace& work);

// Whether the first numbers along each axis of a larger tensor are all that the smaller one has, within `tolerance`.
bool has_corner(const Shape& shape, Numbers numbers, const Shape& smaller, Numbers corner,
                double tolerance = 0);

// Two recordings of one document, the second with one row more in the input. The first node, of those that the results
// need, that computes something else from the same rows; null where there is none. A table of distances may be longer
// and start earlier: what counts is what its list picks for each pair.
const Node* computes_other_numbers(const Compiled& here, const Compiled& more,
                                   const std::string& input, const std::vector<NodeId>& wanted);

}  // namespace attend
