// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ops/memo.h"

namespace attend {

// A run for the page: all numbers in one array, and a directory (JSON) that says what lies where:
// {"ok": true, "tensors": [{group, name, shape, axes, offset, formula}], "labels", "warnings",
// "measures", "cost", "document", "fused" (how many attentions ran without their weights, if any did),
// "left" (outputs that it does not hold, if any: the same without offset)}.
struct Packed {
  std::string directory;
  std::vector<real> data;
};

// Throws Error. Steps that `memo` knows from the run before are not computed again.
Packed run_packed(std::string_view document, Memo* memo = nullptr);
// The same, but an error is an answer too: {"ok": false, "error": {path, message}}, and no numbers.
Packed answer_packed(std::string_view document, Memo* memo = nullptr);

}  // namespace attend
