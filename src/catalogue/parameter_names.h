// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "catalogue/mechanism.h"

namespace attend {

// Whether a record's name of a parameter means this one: "W2+" means W2, W3, W10.
bool means(std::string_view record, std::string_view name);

// What all names begin with that a record's name means: "W" of "W2+", and a name itself without a plus.
std::string_view stem_of(std::string_view record);

// The symbol that formulas show: "W_Q" is W with an index, "W1" too; "gamma" is the Greek letter.
std::string symbol_of(std::string_view name);

// The record of a parameter; Error when the mechanism has none of this name.
const Parameter& parameter_record(const Mechanism& mechanism, std::string_view name);

}  // namespace attend
