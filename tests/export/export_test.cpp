// SPDX-License-Identifier: Apache-2.0
// The text of exported programs. That they run and give the same numbers is tested where Python is.
#include <doctest/doctest.h>

#include "export/helpers.h"
#include "export/literal.h"
#include "export/names.h"
#include "export/program.h"
#include "ops/compose.h"
#include "ops/error.h"

namespace attend::export_test {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

struct Example {
  Graph graph;
  Listing program{graph, {}, {}, "Softmax\nattention", "a = \\sigma", "Someone 2015"};

  Example() {
    const Var x = graph.leaf({2, 3}, "X"), w = graph.leaf({3, 2}, "W_{1}"),
              unused = graph.leaf({4}, "u");
    const Var e = let("E", matmul(x, w)), gate = softmax(e) * sigmoid(e);
    (void)let("not wanted", exp(e));
    const Var shared = e * e + e;  // read twice below
    program.leaves = {{x.id(), "x", {1, 2, 3, 4, 5, 0.1}, true},
                      {w.id(), "score.W1", {1, 0, 0, 1, 1, 1}, false},
                      {unused.id(), "score.u", {1, 2, 3, 4}, false}};
    program.results = {
        {"scores", e.id()}, {"weights", gate.id()}, {"hop0.context", (shared / (shared + 1)).id()}};
  }
};

TEST_CASE("a script has a line for each named step and result, and none for what is not wanted") {
  Example x;
  const std::string torch = to_python(x.program, true), numpy = to_python(x.program, false);
  for (const std::string& code : {torch, numpy}) {
    CAPTURE(code);
    CHECK(code.starts_with("# Softmax attention\n"));
    CHECK(has(code, "def attention(x, score_W1):\n"));
    CHECK(has(code, "    E = x @ score_W1  # [2 2]\n"));
    CHECK(has(code, "    weights = softmax(E) * "));
    CHECK(has(code, "\"hop0.context\": hop0_context,"));
    CHECK(has(code, "    total = E * E + E"));
    CHECK(!has(code, "score_u"));
    CHECK(!has(code, "not_wanted"));
    CHECK(count(code, "def softmax(") == 1);
    CHECK(!has(code, "def take("));
    CHECK(!has(code, ",)"));
  }
  CHECK(has(torch,
            "x = torch.tensor([\n    [1.0, 2.0, 3.0],\n    [4.0, 5.0, 0.1],\n], dtype=x_type)"));
  CHECK(has(torch, "torch.sigmoid(E)"));
  CHECK(!has(torch, "def sigmoid("));
  CHECK(has(numpy, "def sigmoid("));
  CHECK(!has(numpy, "torch"));
}

TEST_CASE("a result that needs a leaf without numbers cannot be exported") {
  Example x;
  x.program.leaves.erase(x.program.leaves.begin());
  CHECK_THROWS_AS(to_python(x.program, true), Error);
}

TEST_CASE("the equations list leaves, steps and results with their shapes") {
  Example x;
  const std::string latex = to_latex(x.program);
  CAPTURE(latex);
  CHECK(has(latex, "\\begin{align*}"));
  CHECK(has(latex, "X &\\in \\mathbb{R}^{2 \\times 3} && \\text{inputs.x} \\\\\n"));
  CHECK(
      has(latex, "E &= X\\, W_{1} && \\in \\mathbb{R}^{2 \\times 2}\\quad \\text{scores} \\\\\n"));
  CHECK(!has(latex, "score.u"));
  CHECK(count(latex, "\\\\\n") == 4);
}

TEST_CASE("symbols become identifiers") {
  CHECK(identifier_of("\\bar a") == "a_bar");
  CHECK(identifier_of("Q K^{\\top}") == "Q_K_T");
  CHECK(identifier_of("z_{\\text{sorted}}") == "z_sorted");
  CHECK(identifier_of("E - \\max E") == "E_minus_max_E");
  CHECK(identifier_of("E/T") == "E_over_T");
  CHECK(identifier_of("\\varphi(Q)") == "phi_Q");
  CHECK(identifier_of("W_{1}") == "W_1");
  CHECK(identifier_of("\\tau^{(0)}\\;(\\text{first})") == "tau_0_first");
  CHECK(identifier_of("|q_i|\\,|k_j|") == "q_i_k_j");
  CHECK(identifier_of("score.W1") == "score_W1");
  CHECK(identifier_of("2x") == "v_2x");
  CHECK(identifier_of("\xc3\xa9") == "value");
  Identifiers names;
  CHECK(names.unique("E") == "E");
  CHECK(names.unique("E") == "E_2");
  CHECK(names.unique("\\lambda") == "lambda_2");
  CHECK(names.unique("softmax") == "softmax_2");
}

TEST_CASE("a hyphen joins the words of a name, and names that become equal are told apart") {
  CHECK(identifier_of_name("score.W1") == "score_W1");
  CHECK(identifier_of_name("hop-1.heads.W_Q") == "hop_1_heads_W_Q");
  CHECK(identifier_of("h_{t-1}") == "h_t_minus_1");
  Identifiers names;
  CHECK(names.unique_name("hop-1") == "hop_1");
  CHECK(names.unique_name("hop_1") == "hop_1_2");
  CHECK(names.unique_name("hop.1") == "hop_1_3");
}

TEST_CASE("the words of rows stand beside them, each on its line") {
  const std::string text = python_list({1, 0, 0, 1}, {2, 2}, {"she", "saw\nimport os"});
  CHECK(text == "[\n    [1.0, 0.0],  # she\n    [0.0, 1.0],  # saw import os\n]");
  CHECK(python_list({1, 0}, {1, 2}, {"she", "saw"}) == "[\n    [1.0, 0.0],\n]");
}

TEST_CASE("literals keep every bit and the shape") {
  CHECK(python_list({0.1}, {}) == "0.1");
  CHECK(python_list({1, -2.5, 1e-12}, {3}) == "[1.0, -2.5, 1e-12]");
  CHECK(python_list({1, 2, 3, 4}, {2, 2}) == "[\n    [1.0, 2.0],\n    [3.0, 4.0],\n]");
  CHECK(python_list({1, 2}, {1, 2, 1}) == "[\n    [\n        [1.0],\n        [2.0],\n    ],\n]");
}

TEST_CASE("only helpers that are called are defined, with those that they call") {
  CHECK(helpers_for("y = torch.softmax(x)", true).empty());
  CHECK(helpers_for("y = my_take(x, i)", true).empty());
  const std::string order = helpers_for("y = argsort_descending(x)", false);
  CHECK(has(order, "def argsort_descending("));
  CHECK(has(order, "def real("));
  CHECK(order.find("def real(") < order.find("def argsort_descending("));
}

}  // namespace
}  // namespace attend::export_test
