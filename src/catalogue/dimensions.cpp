// SPDX-License-Identifier: Apache-2.0
#include "catalogue/dimensions.h"

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

#include "ops/error.h"

namespace attend {
namespace {

// Recursive descent over the expression; a symbol without value makes the whole value empty and is
// remembered.
class Parser {
 public:
  using Lookup = std::optional<std::size_t> (*)(const void*, std::string_view);
  Parser(std::string_view text, const void* context, Lookup lookup)
      : text_(text), context_(context), lookup_(lookup) {}

  std::optional<double> value() {
    const std::optional<double> result = sum();
    if (at_ != text_.size()) refuse("cannot read the expression \"" + std::string(text_) + "\"");
    return result;
  }
  std::set<std::string_view> unknown;

 private:
  using Value = std::optional<double>;

  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  static Value combine(Value a, Value b, char sign) {
    if (!a || !b) return {};
    switch (sign) {
      case '+':
        return *a + *b;
      case '-':
        return *a - *b;
      case '/':
        return *a / *b;
      default:
        return *a * *b;
    }
  }

  Value sum() {
    Value left = product();
    while (peek() == '+' || peek() == '-') {
      const char sign = text_[at_++];
      left = combine(left, product(), sign);
    }
    return left;
  }

  Value product() {
    Value left = factor();
    while (peek() == '*' || peek() == '/' || peek() == '(' || std::isalpha(peek()) != 0) {
      char sign = '*';
      if (peek() == '*' || peek() == '/') sign = text_[at_++];
      left = combine(left, factor(), sign);
    }
    return left;
  }

  Value factor() {
    if (peek() == '(') {
      ++at_;
      const Value inside = sum();
      ++at_;
      return inside;
    }
    const std::size_t start = at_;
    if (std::isdigit(peek()) != 0) {
      while (std::isdigit(peek()) != 0 || peek() == '.') ++at_;
      return std::strtod(std::string(text_.substr(start, at_ - start)).c_str(), nullptr);
    }
    while (std::isalnum(peek()) != 0 || peek() == '_') ++at_;
    const std::string_view word = text_.substr(start, at_ - start);
    if (word.empty()) refuse("cannot read the expression \"" + std::string(text_) + "\"");
    if (word == "sqrt" || word == "ceil" || word == "ln") {
      const Value inside = factor();
      if (!inside) return {};
      return word == "sqrt" ? std::sqrt(*inside)
             : word == "ln" ? std::log(*inside)
                            : std::ceil(*inside);
    }
    const std::optional<std::size_t> found = lookup_(context_, word);
    if (!found) unknown.insert(word);
    return found ? Value(static_cast<double>(*found)) : Value();
  }

  std::string_view text_;
  const void* context_;
  Lookup lookup_;
  std::size_t at_ = 0;
};

std::optional<std::size_t> look_up(const void* context, std::string_view word) {
  return static_cast<const Dimensions*>(context)->get(word);
}

}  // namespace

std::vector<std::string_view> symbols_in(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t space = std::min(text.find(' '), text.size());
    if (space > 0) words.push_back(text.substr(0, space));
    text.remove_prefix(std::min(space + 1, text.size()));
  }
  return words;
}

void Dimensions::set(std::string_view symbol, std::size_t value) {
  values_.insert_or_assign(std::string(symbol), value);
}

void Dimensions::set_all(const Dimensions& other) {
  for (const auto& [symbol, value] : other.values_) set(symbol, value);
}

void Dimensions::set_from(std::string_view symbols, const Shape& shape) {
  const std::vector<std::string_view> words = symbols_in(symbols.substr(0, symbols.find('|')));
  for (std::size_t i = 0; words.size() == shape.size() && i < words.size(); ++i) {
    if (!get(words[i])) set(words[i], shape[i]);
  }
}

std::optional<std::size_t> Dimensions::get(std::string_view symbol) const {
  const auto found = values_.find(symbol);
  return found == values_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> Dimensions::evaluate(std::string_view expression) const {
  return Parser(expression, this, look_up).value();
}

Shape Dimensions::shape(std::string_view words) const {
  Shape shape;
  for (const std::string_view word : symbols_in(words)) {
    const std::optional<double> extent = evaluate(word);
    if (!extent) {
      refuse(unknowns(word).contains("dq")
                 ? std::string(
                       "it has parameters as wide as the query (dq), but this module has no query")
                 : "nothing here determines how large " + std::string(word) +
                       " is; give the parameter that has this size");
    }
    shape.push_back(static_cast<std::size_t>(*extent));
  }
  return shape;
}

std::set<std::string_view> Dimensions::unknowns(std::string_view expression) const {
  Parser parser(expression, this, look_up);
  (void)parser.value();
  return std::move(parser.unknown);
}

bool Dimensions::solve(std::string_view expression, std::size_t extent) {
  Parser parser(expression, this, look_up);
  if (parser.value() || parser.unknown.size() != 1) return false;
  const std::string symbol(*parser.unknown.begin());
  for (std::size_t candidate = 0; candidate <= 2 * extent + 2; ++candidate) {
    set(symbol, candidate);
    const std::optional<double> value = evaluate(expression);
    if (value == static_cast<double>(extent)) return true;
    if (value > static_cast<double>(extent)) break;
  }
  values_.erase(symbol);
  return false;
}

}  // namespace attend
