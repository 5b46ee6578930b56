// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "experiment/recording/compile.h"

namespace attend {

// The heading of the program: of the whole mechanism. Without a title it is the document's own.
struct Heading {
  std::string title, formula, source;
};
Heading heading_of(const Mechanism& mechanism);
// Of {"title", "formula", "source"} as JSON; what is not there is empty.
Heading read_heading(std::string_view heading);

// The recording as a program that computes the same numbers: format "pytorch", "numpy" or "latex".
// Throws Error for another.
std::string export_program(const Compiled& compiled, const std::string& format,
                           const Heading& heading);

}  // namespace attend
