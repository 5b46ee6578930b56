// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/running/run.h"

// The typed directory of a result: what each tensor is, and which modules there are.
namespace attend {

// {"name", "group", "module", "within", "step", "role", "kind", "shape", "axes", "dimensions", "formula"}:
// `module` made it, `within` has it among its results (a hop's query is made by the hop before),
// `step` is its place in the order of computation, `dimensions` says for each axis its role and
// whose tokens stand along it (a name in the directory's `tokens`).
Json describe_tensor(const Compiled& compiled, const ResultTensor& tensor);

// {"name", "type", "parent", "path", "inputs": {port: source}, "result"}, in the order of compiled: `path` is where
// the document chooses it, and may choose others too; `result` is what a wire that names it alone reads, if any.
Json describe_modules(const Compiled& compiled);

// The directory of a result that is written as text: {"tensors", "modules", "labels", "tokens"}, a tensor's `from`
// being the places in `tensors` of what it was computed from.
Json describe_result(const Compiled& compiled, const Result& result);

}  // namespace attend
