// SPDX-License-Identifier: Apache-2.0
// Formulas in the comments of exported code.
#include "export/plain_formula.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "experiment/exporting/modules.h"
#include "experiment/service.h"

namespace attend::plain_formula_test {
namespace {

using Lines = std::vector<std::string>;

TEST_CASE("a formula in LaTeX is written as a reader of code writes it") {
  CHECK(plain_formula(R"(e_{ij} = \frac{q_i\,k_j^{\top}}{\sqrt{d_k}})") ==
        Lines{"e_ij = q_i k_j^T / sqrt(d_k)"});
  CHECK(plain_formula(R"(C = \operatorname{align}(\operatorname{score}(Q, K))\,V)") ==
        Lines{"C = align(score(Q, K)) V"});
  CHECK(plain_formula(R"(a_j = \left[(\alpha-1)\,e_j - \tau\right]_+^{1/(\alpha-1)})") ==
        Lines{"a_j = [(alpha-1) e_j - tau]_+^(1/(alpha-1))"});
  CHECK(plain_formula(R"(G_{ij} = -\frac{(j-P_i)^2}{2 s_i^2})") ==
        Lines{"G_ij = -(j-P_i)^2 / (2 s_i^2)"});
  CHECK(plain_formula(R"(c = \frac{1}{n} \sum_{k=-1}^{1} \tilde w_{k})") ==
        Lines{"c = (1 / n) sum[k = -1..1] w_tilde_k"});
}

TEST_CASE("each equation has a line of its own") {
  CHECK(plain_formula(R"(u = f \odot x + (1-f) \odot c,\quad f = \sigma(x W_1 + b))") ==
        Lines{"u = f * x + (1-f) * c", "f = sigma(x W_1 + b)"});
  CHECK(plain_formula(R"(F = X_1 \quad\text{or}\quad F = X_2)") == Lines{"F = X_1 or F = X_2"});
  CHECK(plain_formula("").empty());
}

TEST_CASE("broken LaTeX ends") {
  for (const char* text :
       {"\\", "{", "}", "}}x", "\\frac", "\\frac{a", "x_", "x^{", "\\bar", "\\quad"})
    CHECK_NOTHROW(plain_formula(text));
}

TEST_CASE("no formula of the catalogue keeps a command or a brace of LaTeX") {
  for (const Mechanism* one : all_mechanisms()) {
    const std::string formula = worded_heading(std::string(one->id)).formula;
    for (const std::string& line : plain_formula(formula)) {
      CAPTURE(one->id);
      CAPTURE(line);
      CHECK(line.find('\\') == std::string::npos);
      CHECK(line.find("_{") == std::string::npos);
      CHECK(line.find("  ") == std::string::npos);
      // A half-open interval opens with one kind and closes with the other.
      const auto count = [&](char c) { return std::count(line.begin(), line.end(), c); };
      CHECK(count('(') + count('[') == count(')') + count(']'));
    }
  }
}

}  // namespace
}  // namespace attend::plain_formula_test
