// SPDX-License-Identifier: Apache-2.0
#include "import/expression.h"

#include <cctype>
#include <cmath>
#include <cstdlib>

#include "ops/error.h"
#include "ops/text.h"

namespace attend {
namespace {

// Whole numbers stay whole, so that they are written as such.
Json number(double x) {
  constexpr double largest = 9e15;
  if (x == std::floor(x) && std::abs(x) < largest) return static_cast<std::int64_t>(x);
  return x;
}

class Reader {
 public:
  Reader(std::string_view text, const Names& names) : text_(text), names_(names) {}

  Json whole() {
    const Json value = choice();
    if (peek() != '\0') wrong("nothing more");
    return value;
  }

 private:
  [[noreturn]] void wrong(const std::string& wanted) {
    refuse("", "in the expression \"" + std::string(text_) + "\": expected " + wanted +
                   " at character " + std::to_string(at_));
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(std::string_view sign) {
    peek();
    if (!text_.substr(at_).starts_with(sign)) return false;
    const std::size_t end = at_ + sign.size();
    const bool word = std::isalpha(static_cast<unsigned char>(sign.front())) != 0;
    if (word && end < text_.size() && is_name(text_[end])) return false;
    at_ = end;
    return true;
  }
  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
  }

  Json choice() {
    const Json condition = either();
    if (!take("?")) return condition;
    const Json yes = choice();
    if (!take(":")) wrong("\":\"");
    const Json no = choice();
    return is_true(condition) ? yes : no;
  }
  Json either() {
    Json value = both();
    while (take("or")) {
      const Json other = both();
      value = is_true(value) || is_true(other);
    }
    return value;
  }
  Json both() {
    Json value = negated();
    while (take("and")) {
      const Json other = negated();
      value = is_true(value) && is_true(other);
    }
    return value;
  }
  Json negated() {
    if (take("not")) return !is_true(negated());
    return comparison();
  }
  Json comparison() {
    const Json left = sum();
    for (const char* const sign : {"==", "!=", "<=", ">=", "<", ">"}) {
      if (!take(sign)) continue;
      const Json right = sum();
      const std::string_view s = sign;
      if (s == "==") return left == right;
      if (s == "!=") return left != right;
      if (!left.is_number() || !right.is_number()) return nullptr;
      const double a = left.get<double>(), b = right.get<double>();
      return s == "<=" ? a <= b : s == ">=" ? a >= b : s == "<" ? a < b : a > b;
    }
    return left;
  }
  Json sum() {
    Json value = product();
    while (true) {
      const char sign = peek();
      if (sign != '+' && sign != '-') return value;
      ++at_;
      value = arithmetic(sign, value, product());
    }
  }
  Json product() {
    Json value = factor();
    while (true) {
      const char sign = peek();
      if (sign != '*' && sign != '/' && sign != '%') return value;
      ++at_;
      value = arithmetic(sign, value, factor());
    }
  }
  static Json arithmetic(char sign, const Json& left, const Json& right) {
    if (!left.is_number() || !right.is_number()) return nullptr;
    const double a = left.get<double>(), b = right.get<double>();
    if ((sign == '/' || sign == '%') && b == 0) return nullptr;
    switch (sign) {
      case '+':
        return number(a + b);
      case '-':
        return number(a - b);
      case '*':
        return number(a * b);
      case '/':
        return number(a / b);
      default:
        return number(std::fmod(a, b));
    }
  }
  Json factor() {
    const char c = peek();
    if (c == '(') {
      ++at_;
      const Json value = choice();
      if (!take(")")) wrong("\")\"");
      return value;
    }
    if (c == '\'') return quoted();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return literal();
    if (!is_name(c)) wrong("a number, a name or a text");
    std::string name;
    while (at_ < text_.size() && is_name(text_[at_])) name += text_[at_++];
    if (name == "true" || name == "false") return name == "true";
    if (!take("(")) return names_.value(name);
    std::vector<Json> arguments;
    while (peek() != ')') {
      if (!arguments.empty() && !take(",")) wrong("\",\" or \")\"");
      arguments.push_back(choice());
    }
    ++at_;
    return names_.call(name, arguments);
  }
  Json quoted() {
    const std::size_t end = text_.find('\'', at_ + 1);
    if (end == std::string_view::npos) wrong("a closing quote");
    const std::string_view text = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return filled(text, names_);
  }
  Json literal() {
    const std::string rest(text_.substr(at_));
    char* end = nullptr;
    const double value = std::strtod(rest.c_str(), &end);
    at_ += static_cast<std::size_t>(end - rest.c_str());
    return number(value);
  }

  std::string_view text_;
  const Names& names_;
  std::size_t at_ = 0;
};

// Where the brace at `open` closes: braces inside of it belong to the texts of the expression.
std::size_t closing(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i;
  }
  refuse("", "in the text \"" + std::string(text) + "\" a brace is not closed");
}

}  // namespace

Json evaluate_expression(std::string_view text, const Names& names) {
  return Reader(text, names).whole();
}

bool is_true(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number()) return value.get<double>() != 0;
  return value.is_string() || value.is_structured();
}

Json filled(std::string_view text, const Names& names) {
  std::string result;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] != '{') {
      result += text[i++];
      continue;
    }
    const std::size_t end = closing(text, i);
    Json value = evaluate_expression(text.substr(i + 1, end - i - 1), names);
    if (i == 0 && end + 1 == text.size()) return value;
    if (value.is_null()) return nullptr;
    result += value.is_string()   ? value.get<std::string>()
              : value.is_number() ? number_exact(value.get<double>())
                                  : value.dump();
    i = end + 1;
  }
  return result;
}

}  // namespace attend
