// SPDX-License-Identifier: Apache-2.0
// The equations of every mechanism are LaTeX: commands that exist, one subscript and one superscript.
#include <doctest/doctest.h>
#include <set>
#include <string>

#include "experiment/service.h"
#include "ops/graph.h"
#include "ops/primitives.h"
#include "tests/each.h"

namespace attend::testing {
namespace {

// What amsmath and amssymb know, of what the catalogue uses.
const std::set<std::string>& commands() {
  static const std::set<std::string> known{
      "Delta",        "Gamma",  "Lambda", "Omega",  "Phi",    "Pi",     "Psi",     "Sigma",
      "Theta",        "alpha",  "arccos", "bar",    "begin",  "beta",   "cdot",    "cdots",
      "chi",          "cos",    "delta",  "dots",   "ell",    "end",    "epsilon", "eta",
      "exp",          "frac",   "gamma",  "ge",     "hat",    "in",     "infty",   "iota",
      "kappa",        "lambda", "le",     "left",   "lfloor", "ln",     "log",     "mathbb",
      "mathcal",      "mathrm", "max",    "min",    "mu",     "nu",     "odot",    "omega",
      "operatorname", "phi",    "pi",     "psi",    "quad",   "rfloor", "rho",     "right",
      "sigma",        "sin",    "sqrt",   "square", "sum",    "tanh",   "tau",     "text",
      "textstyle",    "theta",  "tilde",  "times",  "top",    "varphi", "xi",      "zeta"};
  return known;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Behind a command's backslash, a {group} or one sign.
std::size_t argument_end(const std::string& text, std::size_t at) {
  if (at < text.size() && text[at] == '\\') {
    for (++at; at < text.size() && is_letter(text[at]);) ++at;
    return at;
  }
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}') --depth;
    if (depth == 0) return at + 1;
  }
  return at;
}

// The first thing that LaTeX would stop at; nothing where there is none.
std::string wrong(const std::string& text) {
  std::string scripts;  // of what stands here
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (c == '_' || c == '^') {
      const std::size_t end = argument_end(text, at + 1);
      if (scripts.find(c) != std::string::npos)
        return "twice: " + text.substr(at < 12 ? 0 : at - 12, 24);
      scripts += c;
      if (text[at + 1] == '{') {
        const std::string inner = wrong(text.substr(at + 2, end - at - 3));
        if (!inner.empty()) return inner;
      }
      at = end;
      continue;
    }
    scripts.clear();
    if (c == '\\' && at + 1 < text.size() && is_letter(text[at + 1])) {
      const std::size_t end = argument_end(text, at);
      const std::string command = text.substr(at + 1, end - at - 1);
      if (!commands().contains(command)) return "no command: " + command;
      // What is said in words has no scripts.
      at = command == "text" ? argument_end(text, end) : end;
    } else {
      at += c == '\\' ? 2 : 1;
    }
  }
  return {};
}

TEST_CASE("the equations of every mechanism are LaTeX") {
  for (const Mechanism* mechanism : every_mechanism()) {
    std::string text = export_document(example_text(std::string(mechanism->id)), "latex");
    text.erase(0, text.find("\\begin"));  // the title is a comment
    CAPTURE(mechanism->id);
    CHECK(wrong(text) == "");
  }
  CHECK(wrong("S_y_{0}") != "");
  CHECK(wrong("\\kernel") != "");
}

TEST_CASE("a step's suffix joins the subscript that a name has") {
  Graph graph;
  const auto named = [&](const char* name, const char* suffix) {
    graph.step_suffix = suffix;
    return let(name, exp(graph.leaf({2}, "x"))).node().name;
  };
  CHECK(named("S_y", "_{0}") == "S_{y,0}");
  CHECK(named("S_{ab}", "_{0}") == "S_{ab,0}");
  CHECK(named("C_{\\text{a}}", "_{1}") == "C_{\\text{a},1}");
  CHECK(named("K^{\\top}", "^{\\text{hop }1}") == "K^{\\top,\\text{hop }1}");
  CHECK(named("S_y", "^{2}") == "S_y^{2}");
  CHECK(named("S", "_{0}\\;(\\text{first})") == "S_{0}\\;(\\text{first})");
  CHECK(named("S", "") == "S");
}

}  // namespace
}  // namespace attend::testing
