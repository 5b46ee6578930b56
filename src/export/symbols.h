// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/program.h"
#include "ops/formula.h"

namespace attend {

// What the symbols of a listing are called where several would be the same letter: each of them gets the name of
// its module as a superscript, E^{(\text{decoder})}, and a number where one module has several; an input keeps its name.
NodeNames distinct_symbols(const Listing& program);

// A symbol with a mark that tells it from others of its name; a product or a sum goes in brackets first.
std::string marked_symbol(const std::string& name, const std::string& mark);

}  // namespace attend
