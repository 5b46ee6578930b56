// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace attend {

// A formula in LaTeX as a reader of code writes it, one line for each equation: \frac{q_i\,k_j^{\top}}{\sqrt{d_k}} is
// q_i k_j^T / sqrt(d_k). Greek letters have the names that the exported code gives them.
std::vector<std::string> plain_formula(std::string_view latex);

}  // namespace attend
