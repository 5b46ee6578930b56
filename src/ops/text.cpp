// SPDX-License-Identifier: Apache-2.0
#include "ops/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

namespace attend {

std::string Text::at(int level) const { return binding >= level ? text : "(" + text + ")"; }

std::string number_latex(double value) {
  if (value == 0) return "0";
  if (std::isnan(value)) return "\\text{NaN}";
  if (std::isinf(value)) return value < 0 ? "-\\infty" : "\\infty";
  std::array<char, 48> buffer{};
  const auto printed = [&](int decimals, double number) {
    (void)std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, number);
    std::string text = buffer.data();
    const bool exact =
        std::abs(std::strtod(buffer.data(), nullptr) - number) <= 1e-6 * std::abs(number);
    if (!exact || text.find('.') == std::string::npos) return text;
    text.erase(text.find_last_not_of('0') + 1);
    if (text.back() == '.') text.pop_back();
    return text;
  };
  // The exponent after rounding: 0.9996 is 1.00, not 1.000.
  (void)std::snprintf(buffer.data(), buffer.size(), "%.2e", value);
  const std::string scientific = buffer.data();
  const std::size_t e = scientific.find('e');
  const int exponent = static_cast<int>(std::strtol(scientific.c_str() + e + 1, nullptr, 10));
  if (exponent >= -3 && exponent <= 4) return printed(std::max(0, 2 - exponent), value);
  // The mantissa is printed from the rounded digits, so that no division can change them.
  const double mantissa = std::strtod(scientific.substr(0, e).c_str(), nullptr);
  const std::string power = "10^{" + std::to_string(exponent) + "}";
  if (std::abs(mantissa) == 1) return (value < 0 ? "-" : "") + power;
  return printed(2, mantissa) + " \\cdot " + power;
}

Text number_text(double value) {
  std::string text = number_latex(value);
  const bool scientific = text.find("\\cdot") != std::string::npos;
  return {std::move(text), scientific ? Text::product : Text::atom};
}

std::string number_exact(double value) {
#ifdef __EMSCRIPTEN__
  return number_exact_small(value);
#else
  std::array<char, 40> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  return {buffer.data(), end};
#endif
}

std::string number_exact_small(double value) {
  if (std::isnan(value)) return std::signbit(value) ? "-nan" : "nan";
  if (std::isinf(value)) return value < 0 ? "-inf" : "inf";
  if (value == 0) return std::signbit(value) ? "-0" : "0";
  std::array<char, 400> buffer{};
  // What reads back with 15 digits has no shorter text than those without the zeros at their end.
  // (Below the normal numbers fewer digits than 15 may do.)
  const int fewest = std::abs(value) < std::numeric_limits<double>::min() ? 0 : 14;
  for (int decimals = fewest; decimals <= 16; ++decimals) {
    (void)std::snprintf(buffer.data(), buffer.size(), "%.*e", decimals, value);
    if (std::strtod(buffer.data(), nullptr) == value) break;
  }
  std::string text = buffer.data();
  const std::size_t e = text.find('e');
  const int exponent = static_cast<int>(std::strtol(text.c_str() + e + 1, nullptr, 10));
  std::string digits = text.substr(0, e);
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  text = digits + text.substr(e);
  // In full where that is not longer: 1200 rather than 1.2e+03.
  const int decimals = static_cast<int>(digits.size() - digits.find_first_of("0123456789")) -
                       (digits.find('.') == std::string::npos ? 1 : 2) - exponent;
  if (decimals > 40) return text;
  (void)std::snprintf(buffer.data(), buffer.size(), "%.*f", std::max(decimals, 0), value);
  const std::string full = buffer.data();
  return full.size() <= text.size() ? full : text;
}

namespace {
std::string comma_list(const std::vector<Text>& arguments, const char* separator) {
  std::string list;
  for (const Text& argument : arguments) {
    if (!list.empty()) list += separator;
    list += argument.text;
  }
  return list;
}
}  // namespace

Text latex_call(const std::string& function, const std::vector<Text>& arguments) {
  return {function + "\\left(" + comma_list(arguments, ",\\,") + "\\right)"};
}

Text python_call(const std::string& function, const std::vector<Text>& arguments) {
  return {function + "(" + comma_list(arguments, ", ") + ")"};
}

std::string unbracketed(const std::string& literal) {
  return literal.starts_with('(') ? literal.substr(1, literal.size() - 2) : literal;
}

Text tensor_operand(const Expression& expression, std::size_t k) {
  const Text& operand = expression.in[k];
  if (operand.binding != Text::literal) return operand;
  return {(expression.torch ? "torch.tensor(" : "np.asarray(") + unbracketed(operand.text) +
          ", dtype=x_type)"};
}

std::string module_of(const Expression& expression) { return expression.torch ? "torch" : "np"; }

long from_end(std::size_t axis, std::size_t rank) {
  return static_cast<long>(axis) - static_cast<long>(rank);
}

std::string as_factor(const Text& term) {
  return term.text.starts_with('-') ? "(" + term.text + ")" : term.at(Text::product);
}

std::string raised(const Text& base, const std::string& superscript) {
  const bool bare = base.binding >= Text::atom && !base.text.starts_with('-') &&
                    !base.text.starts_with("\\frac") && !base.text.starts_with("e^{");
  const std::string text = bare ? base.text : "\\left(" + base.text + "\\right)";
  const bool wrap = bare && text.find_first_of("^\\ ") != std::string::npos;
  return (wrap ? "{" + text + "}" : text) + "^{" + superscript + "}";
}

std::string lowered(const Text& base, const std::string& subscript) {
  const bool wrap =
      base.binding < Text::atom || base.text.find_first_of("^_\\ ") != std::string::npos;
  return (wrap ? "{" + base.at(Text::atom) + "}" : base.text) + "_{" + subscript + "}";
}

std::string python_tuple(const std::vector<long>& values) {
  std::string text = "(";
  for (std::size_t i = 0; i < values.size(); ++i) {
    text += (i == 0 ? "" : ", ") + std::to_string(values[i]);
  }
  return text + (values.size() == 1 ? ",)" : ")");
}

std::string as_addend(const Text& term) {
  return term.text.starts_with('-') ? "(" + term.text + ")" : term.at(Text::product);
}

Text joined(const std::vector<Text>& terms, const std::string& sign, int binding,
            std::size_t limit) {
  const bool sum = sign == " + ";
  std::string text;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (terms.size() > limit && i == limit - 2) {
      text += sign + "\\dots";
      i = terms.size() - 1;
    }
    const Text& term = terms[i];
    const bool minus = sum && term.text.starts_with('-') && term.binding >= Text::product;
    if (text.empty()) {
      text = term.text;
    } else {
      text +=
          minus ? " - " + term.text.substr(1) : sign + (sum ? term.at(Text::product) : term.text);
    }
  }
  if (terms.empty()) return {"0"};
  return {text, terms.size() == 1 ? terms[0].binding : binding};
}

}  // namespace attend
