// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/knob.h"

namespace attend {

// Numbers beyond these are no numbers of a float, with which the page computes.
inline constexpr double largest_number = 3.4e38, smallest_positive = 1e-20;

// Checks that a value has the knob's type and is within what the mathematics allows. Throws Error at `path`.
void check_knob(const Knob& knob, const KnobValue& value, const std::string& path);

// What a knob takes, for the errors of check_knob and of whoever reads it: "a whole number", "one of "dot", "mlp"".
std::string kind_in_words(const Knob& knob);

// Whether a value keeps the rule, where `of` is the number that the rule names.
bool keeps(const KnobRule& rule, double value, double of);
// The largest number up to `value` that keeps it, or else the smallest that does.
double kept_near(const KnobRule& rule, double value, double of);
// The rule as the end of a sentence: "divide count".
std::string in_words(const KnobRule& rule);
// Throws Error at `path` unless the value keeps its knob's rule; the message names a value that would.
void check_rule(const Knob& knob, double value, double of, const std::string& path);

}  // namespace attend
