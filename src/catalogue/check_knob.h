// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/knob.h"

namespace attend {

// That a value is of the knob's type and within what the mathematics allows. Throws Error at `path`.
void check_knob(const Knob& knob, const KnobValue& value, const std::string& path);

// Whether a value keeps the rule, where `of` is the number that the rule names.
bool keeps(const KnobRule& rule, double value, double of);
// The largest number up to `value` that keeps it, or else the smallest that does.
double kept_near(const KnobRule& rule, double value, double of);
// The same as a sentence's end: "divide count".
std::string in_words(const KnobRule& rule);
// Throws Error at `path`, saying what would do, unless the value keeps its knob's rule.
void check_rule(const Knob& knob, double value, double of, const std::string& path);

}  // namespace attend
