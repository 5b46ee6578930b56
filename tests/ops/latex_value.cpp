// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/latex_value.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace attend::testing {
namespace {

using OfOne = double (*)(double);

// Functions of one number. All that LaTeX has a command for stand here, whether a primitive writes them today or not, so
// that a new primitive changes no test.
constexpr std::array<std::pair<std::string_view, OfOne>, 15> functions{{
    {"\\operatorname{erf}", [](double x) { return std::erf(x); }},
    {"\\sigma", [](double x) { return 1 / (1 + std::exp(-x)); }},
    {"\\arcsin", [](double x) { return std::asin(x); }},
    {"\\arccos", [](double x) { return std::acos(x); }},
    {"\\arctan", [](double x) { return std::atan(x); }},
    {"\\sinh", [](double x) { return std::sinh(x); }},
    {"\\cosh", [](double x) { return std::cosh(x); }},
    {"\\tanh", [](double x) { return std::tanh(x); }},
    {"\\coth", [](double x) { return 1 / std::tanh(x); }},
    {"\\sin", [](double x) { return std::sin(x); }},
    {"\\cos", [](double x) { return std::cos(x); }},
    {"\\tan", [](double x) { return std::tan(x); }},
    {"\\log", [](double x) { return std::log(x); }},
    {"\\ln", [](double x) { return std::log(x); }},
    {"\\exp", [](double x) { return std::exp(x); }},
}};

class Reader {
 public:
  explicit Reader(const std::string& latex) : text_(latex) {}

  std::vector<double> list() {
    std::vector<double> values{sum()};
    while (eat(",\\,")) values.push_back(sum());
    return values;
  }

  void end() {
    skip();
    if (at_ != text_.size()) fail("the end");
  }

 private:
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool eat(std::string_view token) {
    skip();
    if (std::string_view(text_).substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void need(std::string_view token) {
    if (!eat(token)) fail(std::string(token));
  }
  [[noreturn]] void fail(const std::string& wanted) const {
    throw std::runtime_error("wanted " + wanted + " at " + std::to_string(at_) + " of " + text_);
  }

  double sum() {
    double value = product();
    while (true) {
      if (eat("+")) {
        value += product();
      } else if (eat("-")) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    if (eat("-")) return -product();
    double value = power();
    while (true) {
      if (eat("\\cdot")) {
        value *= power();
      } else if (eat("/")) {
        value /= power();
      } else {
        return value;
      }
    }
  }

  double power() {
    if (eat("e^")) return std::exp(group());
    const double base = atom();
    return eat("^") ? std::pow(base, group()) : base;
  }

  double group() {
    need("{");
    const double value = sum();
    need("}");
    return value;
  }

  std::vector<double> arguments() {
    need("\\left(");
    std::vector<double> values = list();
    need("\\right)");
    return values;
  }

  double closed(const char* end) {
    const double value = sum();
    need(end);
    return value;
  }

  double truth() {  // Iverson's bracket
    const double a = sum();
    const bool greater = eat(">");
    if (!greater) need("=");
    const double b = sum();
    need("\\,]");
    return greater ? a > b : a == b;
  }

  // The longer of two names that begin alike stands first in the table.
  OfOne function() {
    for (const auto& [name, of_one] : functions)
      if (eat(name)) return of_one;
    return nullptr;
  }

  double atom() {
    if (eat("[\\,")) return truth();
    if (eat("\\left(")) return closed("\\right)");
    if (eat("\\left|")) return std::abs(closed("\\right|"));
    if (eat("\\lfloor")) return std::floor(closed("\\rfloor"));
    if (eat("(")) return closed(")");
    if (eat("\\frac")) {
      const double above = group();
      return above / group();
    }
    if (eat("\\sqrt")) return std::sqrt(group());
    if (eat("\\max")) {
      const auto values = arguments();
      return *std::max_element(values.begin(), values.end());
    }
    if (eat("\\operatorname{argmax}")) {
      const auto values = arguments();
      return static_cast<double>(std::max_element(values.begin(), values.end()) - values.begin());
    }
    if (const auto of_one = function()) return of_one(arguments().at(0));
    if (eat("{")) return closed("}");
    skip();
    char* end = nullptr;
    const double value = std::strtod(text_.c_str() + at_, &end);
    if (end == text_.c_str() + at_) fail("a number");
    at_ = static_cast<std::size_t>(end - text_.c_str());
    return value;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<double> latex_values(const std::string& latex) {
  Reader reader(latex);
  std::vector<double> values = reader.list();
  reader.end();
  return values;
}

double latex_value(const std::string& latex) {
  const auto values = latex_values(latex);
  if (values.size() != 1) throw std::runtime_error("several values in " + latex);
  return values[0];
}

}  // namespace attend::testing
