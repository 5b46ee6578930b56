// SPDX-License-Identifier: Apache-2.0
#include "ops/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace attend {

std::string latex_escaped(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (c == '\\') {
      text += "\\backslash ";
    } else if (c == '^' || c == '~') {
      text += std::string("\\") + c + "{}";
    } else {
      if (std::string_view("_&%$#{}").find(c) != std::string_view::npos) text += '\\';
      text += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    }
  }
  return text;
}

std::size_t whole_number(std::string_view digits) {
  std::size_t number = 0;
  for (const char digit : digits) number = number * 10 + static_cast<std::size_t>(digit - '0');
  return number;
}

namespace {
// Rounded exactly, ties to an even digit, alike in every build. (std::to_chars would bring tables of 100 KB for this.)
std::string fixed(double value, int decimals) {
  std::array<char, 512> buffer{};  // the largest number has 309 digits
  return {buffer.data(), static_cast<std::size_t>(
                             std::snprintf(buffer.data(), buffer.size(), "%.*f", decimals, value))};
}

std::string scientific(double value, int decimals) {
  std::array<char, 32> buffer{};
  return {buffer.data(), static_cast<std::size_t>(
                             std::snprintf(buffer.data(), buffer.size(), "%.*e", decimals, value))};
}

// "1.500" as "1.5" and "2.00" as "2"; a whole number stays as it is.
std::string without_zeros(std::string decimal) {
  if (decimal.find('.') == std::string::npos) return decimal;
  decimal.erase(decimal.find_last_not_of('0') + 1);
  if (decimal.back() == '.') decimal.pop_back();
  return decimal;
}

// The exponent of "1.20e-05".
int exponent_of(const std::string& scientific) {
  const std::size_t sign = scientific.find('e') + 1;
  const int exponent = static_cast<int>(whole_number(scientific.substr(sign + 1)));
  return scientific[sign] == '-' ? -exponent : exponent;
}
}  // namespace

std::string Text::at(int level) const { return binding >= level ? text : "(" + text + ")"; }

std::string number_latex(double value) {
  if (value == 0) return "0";
  if (std::isnan(value)) return "\\text{NaN}";
  if (std::isinf(value)) return value < 0 ? "-\\infty" : "\\infty";
  const auto printed = [&](int digits, double number) {
    std::string text = fixed(number, digits);
    const bool exact =
        std::abs(std::strtod(text.c_str(), nullptr) - number) <= 1e-6 * std::abs(number);
    return exact ? without_zeros(std::move(text)) : text;
  };
  // The exponent after rounding: 0.9996 is 1.00, not 1.000.
  const std::string rounded = scientific(value, 2);
  const int exponent = exponent_of(rounded);
  if (exponent >= -3 && exponent <= 4) return printed(std::max(0, 2 - exponent), value);
  // The mantissa is printed from the rounded digits, so that no division can change them.
  const double mantissa = std::strtod(rounded.substr(0, rounded.find('e')).c_str(), nullptr);
  const std::string power = "10^{" + std::to_string(exponent) + "}";
  if (std::abs(mantissa) == 1) return (value < 0 ? "-" : "") + power;
  return printed(2, mantissa) + " \\cdot " + power;
}

Text number_text(double value) {
  std::string text = number_latex(value);
  const bool scientific = text.find("\\cdot") != std::string::npos;
  return {std::move(text), scientific ? Text::product : Text::atom};
}

Text constant_text(double value) {
  const double square = value * value;
  for (const bool below : {false, true}) {
    const double whole = std::round(below ? 1 / square : square);
    const double root = std::sqrt(whole);
    // A root that is whole itself is written as its digits, as 0.5 and 3 are.
    if (!(whole >= 2 && whole <= 1 << 20) || root == std::floor(root)) continue;
    const double exact = below ? 1 / root : root;
    if (std::abs(value - exact) > 4e-16 * exact) continue;
    const std::string text = "\\sqrt{" + fixed(whole, 0) + "}";
    return {below ? "\\frac{1}{" + text + "}" : text};
  }
  return number_text(value);
}

std::string number_exact(double value) {
  if (!std::isfinite(value)) return fixed(value, 0);
  // A decimal of up to 15 digits comes back from a double as it was, with zeros at its end.
  int decimals = std::isnormal(value) ? 14 : 0;
  std::string shortest = scientific(value, decimals);
  while (std::strtod(shortest.c_str(), nullptr) != value) shortest = scientific(value, ++decimals);
  const std::size_t e = shortest.find('e');
  const std::string mantissa = without_zeros(shortest.substr(0, e));
  const std::size_t point = mantissa.find('.');
  decimals = point == std::string::npos ? 0 : static_cast<int>(mantissa.size() - point - 1);
  std::string plain = fixed(value, std::max(0, decimals - exponent_of(shortest)));
  shortest = mantissa + shortest.substr(e);
  return plain.size() <= shortest.size() ? plain : shortest;
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
