// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "experiment/running/run.h"

namespace attend {

// The result as one line of JSON: outputs, parameters, steps, gradients, warnings, cost. Numbers
// read back exactly.
std::string write_result(const Result& result);

// [0.25,1,-3e-05]: the shortest texts that read back as the same numbers.
void append_numbers(std::string& text, std::span<const real> numbers);

}  // namespace attend
