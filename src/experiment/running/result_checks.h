// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "experiment/running/run.h"

// What is looked at when the numbers of a result are there.
namespace attend {

// Throws Error when a number of a result is infinite or none. What the first `checked` evaluations
// computed, and no later one, is known to be finite.
void check_finite(const Compiled& compiled, const Result& result, std::size_t checked = 0);

// Evaluates until `enough` holds; whether everything is done. Throws Error at the module that refuses its numbers, or
// else at the first output or step before it that is not finite, for that is why.
bool evaluate_within(const Compiled& compiled, const Prepared& prepared, Workspace& work,
                     const std::function<bool()>& enough, Progress* heard);

// The cautions of the builds whose tensors were computed.
void warn_of_cautions(const Compiled& compiled, const Prepared& prepared, Result& result);

// Rows of weights that are all zero: nothing may be attended to, or nothing got any weight.
void warn_of_empty_rows(const Compiled& compiled, Result& result);

}  // namespace attend
