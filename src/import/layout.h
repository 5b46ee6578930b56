// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "experiment/text/json_parse.h"
#include "import/stored_tensor.h"

namespace attend {

// How the numbers of a checkpoint lie, undone one step after the other. A step is "transpose", or an object with one of
//   {"heads": h}          the last axis h*p becomes two, and the heads come first: [d h*p] -> [h d p], [h*p] -> [h p]
//   {"part": k, "of": n}  part k of n equal ones along the last axis; "axis" names another
//   {"rows": [a, b]}      rows a to b of the first axis
//   {"permute": [..]}     axes in another order
//   {"reshape": [..]}     the same numbers by another shape
//   {"scale": x}          each number times x
//   {"pairs": p}          rotated pairs of heads p wide that are neighbours are brought apart, to halves: last axis
// Throws Error saying which step does not fit the shape.
FloatTensor laid_out(const FloatTensor& tensor, const Json& steps);
// The shape alone.
Shape shape_after(Shape shape, const Json& steps);
// Whether a step multiplies the numbers.
bool multiplies(const Json& steps);

}  // namespace attend
