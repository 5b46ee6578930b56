// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace attend::testing {

// Computes what a formula of numbers says: the LaTeX that the cell printers write, read by rules of
// its own. A list "a,\,b" gives several values. Throws std::runtime_error at what it cannot read.
std::vector<double> latex_values(const std::string& latex);
double latex_value(const std::string& latex);

}  // namespace attend::testing
