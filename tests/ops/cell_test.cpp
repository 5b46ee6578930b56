// SPDX-License-Identifier: Apache-2.0
// The printed computation of a cell, computed again from its text.
#include <array>
#include <charconv>
#include <cmath>

#include "ops/random.h"
#include "ops/text.h"
#include "tests/each.h"
#include "tests/ops/latex_value.h"
#include "tests/ops/run.h"

namespace attend::cell_test {
namespace {

using testing::Each;
using testing::every_primitive;
using testing::Trial;

#ifdef ATTEND_DOUBLE
constexpr double tolerance = 1e-12;
#else
constexpr double tolerance = 2e-5;
#endif

Text exact(double x) { return {number_exact(x)}; }

const Each computed("has a cell's text that computes the cell", every_primitive,
                    [](const Primitive& p) {
                      const bool unreadable =
                          p.name == "inverse" || p.name == "solve_triangle" ||
                          p.name == "solve_symmetric" || p.name == "argsort" ||
                          p.name == "hinge_slopes" ||  // say what was done, not how
                          p.name == "entmax";  // holds a number found by iteration, to three digits
                      for (const Sample& sample : p.samples) {
                        Trial t(p, sample);
                        const auto out = testing::value(t.out, t.data);
                        CellQuery query{t.out.node(), {}, 0, {}, {}};
                        for (const Var& in : t.in) query.in_shapes.push_back(&in.shape());
                        bool inside = true;
                        query.value = [&](std::size_t k, std::size_t flat) {
                          inside =
                              inside && k < t.in.size() && flat < t.data[t.in.at(k).id()].size();
                          return inside ? static_cast<double>(t.data[t.in[k].id()][flat]) : 0;
                        };
                        query.operand = [&](std::size_t k, std::size_t flat) {
                          return exact(query.value(k, flat));
                        };
                        for (std::size_t flat = 0; flat < out.size(); ++flat) {
                          query.flat = flat;
                          const Text text = p.cell(query);
                          CAPTURE(flat);
                          CAPTURE(text.text);
                          REQUIRE(inside);
                          CHECK(!text.text.empty());
                          if (unreadable) continue;
                          const auto expected = static_cast<double>(out[flat]);
                          CHECK(std::abs(testing::latex_value(text.text) - expected) <=
                                tolerance * (1 + std::abs(expected)));
                        }
                      }
                    });

const Each written("has a formula and two Python texts that use every operand", every_primitive,
                   [](const Primitive& p) {
                     for (const Sample& sample : p.samples) {
                       Trial t(p, sample);
                       Expression expression{t.out.node(), {}, {}};
                       for (const Var& in : t.in) {
                         expression.in.push_back({in.node().name});
                         expression.in_shapes.push_back(&in.shape());
                       }
                       for (const bool torch : {true, false}) {
                         expression.torch = torch;
                         for (const Text& text : {p.latex(expression), p.python(expression)}) {
                           CAPTURE(text.text);
                           CHECK(!text.text.empty());
                           for (const Var& in : t.in)
                             CHECK(text.text.find(in.node().name) != std::string::npos);
                         }
                       }
                     }
                   });

TEST_CASE("numbers have three significant digits, fewer only when they are exact") {
  CHECK(number_latex(0) == "0");
  CHECK(number_latex(1) == "1");
  CHECK(number_latex(-0.5) == "-0.5");
  CHECK(number_latex(0.36543) == "0.365");
  CHECK(number_latex(1.0 / 3) == "0.333");
  CHECK(number_latex(0.9996) == "1.00");
  CHECK(number_latex(1.2003) == "1.20");
  CHECK(number_latex(9.996) == "10.0");
  CHECK(number_latex(123.4) == "123");
  CHECK(number_latex(12345) == "12345");
  CHECK(number_latex(0.001234) == "0.00123");
  CHECK(number_latex(99999.9) == "10^{5}");
  CHECK(number_latex(0.00012345) == "1.23 \\cdot 10^{-4}");
  CHECK(number_latex(-9.996e-7) == "-10^{-6}");
  CHECK(number_latex(3e38) == "3 \\cdot 10^{38}");
  CHECK(number_text(1.5e-7).binding == Text::product);
  CHECK(number_exact(0.1) == "0.1");
}

std::string by_library(double value) {
  std::array<char, 40> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

TEST_CASE("a number's exact text is the shortest, in full where that is not longer") {
  const RandomStream stream(5, "numbers");
  for (std::size_t i = 0; i < 20000; ++i) {
    const double power = std::pow(10., std::round(stream.normal(2 * i) * (i % 8 == 0 ? 99 : 4)));
    const double x = stream.normal(2 * i + 1) * power;
    for (const double value : {x, static_cast<double>(static_cast<float>(x)), std::round(x)})
      CHECK(number_exact(value) == by_library(value));
  }
  for (const double value : {0., -0., 5e-324, 1e15, 123456789012345680000., 1.7976931348623157e308})
    CHECK(number_exact(value) == by_library(value));
}

TEST_CASE("a superscript never lands on half of its base, nor on another superscript") {
  CHECK(raised({"Q"}, "\\top") == "Q^{\\top}");
  CHECK(raised({"q^{(0)}"}, "\\top") == "{q^{(0)}}^{\\top}");
  CHECK(raised({"Q W_1", Text::product}, "\\top") == "\\left(Q W_1\\right)^{\\top}");
  CHECK(raised({"-2"}, "2") == "\\left(-2\\right)^{2}");
}

TEST_CASE(
    "a sum takes up the signs of its terms, a list leaves them, and both elide what is too long") {
  const std::vector<Text> terms{
      {"1"}, {"-2"}, {"a - b", Text::sum}, {"-3 \\cdot 4", Text::product}};
  CHECK(joined(terms, " + ", Text::sum).text == "1 - 2 + (a - b) - 3 \\cdot 4");
  CHECK(joined(terms, ",\\,", Text::atom).text == "1,\\,-2,\\,a - b,\\,-3 \\cdot 4");
  const std::vector<Text> many(20, Text{"7"});
  CHECK(joined(many, " + ", Text::sum, 4).text == "7 + 7 + \\dots + 7");
  CHECK(lowered({"E"}, "[0]") == "E_{[0]}");
  CHECK(lowered({"W_1"}, "[0]") == "{W_1}_{[0]}");
}

}  // namespace
}  // namespace attend::cell_test
