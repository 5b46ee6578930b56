// SPDX-License-Identifier: Apache-2.0
// The equations of every mechanism are LaTeX: commands that exist, one subscript and one superscript.
#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "experiment/describing/systems.h"
#include "experiment/service.h"
#include "ops/formula.h"
#include "ops/graph.h"
#include "ops/primitives.h"
#include "tests/each.h"

namespace attend::testing::latex_test {
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

TEST_CASE("what is no LaTeX is found") {
  CHECK(wrong("S_y_{0}") != "");
  CHECK(wrong("\\kernel") != "");
}

// The first equation whose sides differ in layout alone.
std::string identity_in(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t equals = line.find(" &= "), end = line.find(" && \\in");
    if (equals == std::string::npos) continue;
    const auto letters = [](std::string part) {
      for (const char* layout : {"\\left", "\\right", "\\,"})
        for (std::size_t at; (at = part.find(layout)) != std::string::npos;)
          part.erase(at, std::string(layout).size());
      std::erase_if(part, [](char c) { return c == ' ' || c == '{' || c == '}'; });
      return part;
    };
    if (letters(line.substr(0, equals)) == letters(line.substr(equals + 4, end - equals - 4)))
      return line;
  }
  return {};
}

// What stands on the left of the equations, in their order.
std::vector<std::string> defined(const std::string& text) {
  std::vector<std::string> symbols;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t end = std::min(line.find(" &= "), line.find(" &\\in "));
    if (end != std::string::npos) symbols.push_back(line.substr(2, end - 2));
  }
  return symbols;
}

void check_equations(const std::string& document) {
  const std::string text = export_document(document, "latex");
  const std::vector<std::string> symbols = defined(text);
  std::set<std::string> known;
  CAPTURE(document);
  REQUIRE(!symbols.empty());
  CHECK(identity_in(text) == "");
  for (const std::string& symbol : symbols) {
    CAPTURE(symbol);
    CHECK(known.insert(symbol).second);
  }
  CHECK(wrong(text.substr(text.find("\\begin"))) == "");  // before it stands a title, a comment
}

const Each equations("has equations that are LaTeX, and no two that define the same symbol",
                     every_mechanism, [](const Mechanism& mechanism) {
                       check_equations(example_text(std::string(mechanism.id)));
                     });

TEST_CASE("no two equations of a system define the same symbol") {
  for (const Json& system : all_systems()) check_equations(system["document"].dump());
}

TEST_CASE("a symbol that several modules have bears the module's name wherever it is read") {
  const std::string text = export_document(document_of("rnnsearch"), "latex");
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  CAPTURE(text);
  CHECK(has("  E^{(\\text{embedding})} &\\in "));
  CHECK(has("\\mathrm{words}\\, E^{(\\text{embedding})}"));
  CHECK(has("  E^{(\\text{decoder})} &\\in "));
  CHECK(has("w_{t-1}\\, E^{(\\text{decoder})}"));
  CHECK(has("  E^{(\\text{decoder.attention})} &= "));
  CHECK(has("A &= \\operatorname{softmax}\\left(E^{(\\text{decoder.attention})}\\right)"));
  CHECK(has("\\text{decoder.weights} &= \\left(A\\right)_{t} && "));
  CHECK(!has(" E &"));
}

TEST_CASE("a result of a recurrence says whether it is of all steps or of the last") {
  const std::string text = export_document(document_of("rnn"), "latex");
  CAPTURE(text);
  CHECK(text.find("H &= \\left(h_t\\right)_{t} && ") != std::string::npos);
  CHECK(text.find("\\text{last} &= h_t\\ (\\text{last step}) && ") != std::string::npos);
}

TEST_CASE("a scale that is no root keeps its digits, and heads are joined by their names") {
  Json document = Json::parse(document_of("multi-head"));
  const auto has = [&](const char* part) {
    return export_document(document.dump(), "latex").find(part) != std::string::npos;
  };
  CHECK(has("E &= \\frac{Q K^{\\top}}{\\sqrt{2}} && "));
  CHECK(
      has("[\\text{heads}] &= \\operatorname{Concat}\\left(C_{1},\\,\\cdots,\\,C_{4}\\right) && "));
  document["mechanism"]["score"] = {{"type", "scaled-dot"}, {"scale", 1000.0005}};
  CHECK(has("E &= Q K^{\\top} \\cdot 1000 && "));
}

TEST_CASE(
    "a name that spells its formula needs no equation, and the result with that name has one") {
  const std::string heads = export_document(document_of("multi-head"), "latex");
  CHECK(heads.find("Q K^{\\top} &=") == std::string::npos);
  const std::string reader = export_document(document_of("aoa-reader"), "latex");
  CHECK(reader.find("  \\text{over.output} &= [c_1; c_2] && ") != std::string::npos);
}

TEST_CASE(
    "the formula of heads that are switched off says which they are, and what they are set to") {
  Json document = Json::parse(document_of("multi-head"));
  const auto with = [&](const Json& intervention) {
    document["interventions"] = {intervention};
    return export_document(document.dump(), "latex");
  };
  const std::string off = with({{"type", "set"}, {"of", "heads"}, {"head", 1}, {"value", 0}});
  CAPTURE(off);
  CHECK(off.find("C &= \\begin{cases}\\mathrm{value} & \\text{if } \\text{head } 2\\\\ A\\, V &") !=
        std::string::npos);
  CHECK(off.find("\\mathrm{value} &= 0 && \\in \\mathbb{R}\\quad \\text{interventions.0.value}") !=
        std::string::npos);
  const std::string rows =
      with({{"type", "set"}, {"of", "heads"}, {"rows", {0, 2}}, {"value", 1.5}});
  CAPTURE(rows);
  CHECK(rows.find("\\text{if } \\text{rows } 1, 3\\\\") != std::string::npos);
  CHECK(rows.find("\\mathrm{value} &= 1.5 && ") != std::string::npos);
}

TEST_CASE("a document of several modules has its own title above its code, or none") {
  Json document = Json::parse(document_of("rnnsearch"));
  document["title"] = "My translator";
  CHECK(export_document(document.dump(), "latex").starts_with("% My translator\n% needs amsmath"));
  CHECK(export_document(document.dump(), "pytorch").starts_with("# My translator\nimport json\n"));
  document.erase("title");
  CHECK(export_document(document.dump(), "latex").starts_with("% needs amsmath"));
  CHECK(export_document(document.dump(), "numpy").starts_with("import json\n"));
}

TEST_CASE("a mark becomes the superscript of a symbol, and brackets hold what is more") {
  Graph graph;
  const auto marked = [&](const char* name) {
    const Var var = let(name, exp(graph.leaf({2}, "x")));
    return marked_name(var.node(), {{&var.node(), "(1)"}});
  };
  CHECK(marked("E") == "E^{(1)}");
  CHECK(marked("W_{Q}") == "W_{Q}^{(1)}");
  CHECK(marked("H^{1}_t") == "{H^{1}_t}^{(1)}");
  CHECK(marked("\\mathrm{words}") == "{\\mathrm{words}}^{(1)}");
  CHECK(marked("Q K^{\\top}") == "\\left(Q K^{\\top}\\right)^{(1)}");
  CHECK(marked_name(let("E", exp(graph.leaf({2}, "x"))).node(), {}) == "E");
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
}  // namespace attend::testing::latex_test
