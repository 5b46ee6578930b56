// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/real.h"

namespace attend {

// A run for the page: all numbers in one array, and a directory (JSON) that says what lies where:
// {"ok": true, "tensors": [{group, name, shape, axes, offset, formula}], "labels", "warnings",
// "measures", "document"} or
// {"ok": false, "error": {path, message}} with no numbers.
struct Packed {
  std::string directory;
  std::vector<real> data;
};

// Never throws.
Packed run_packed(std::string_view document);

}  // namespace attend
