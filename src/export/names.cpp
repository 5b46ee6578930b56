// SPDX-License-Identifier: Apache-2.0
#include "export/names.h"

#include <algorithm>
#include <array>

#include "export/helpers.h"
#include "export/plain_text.h"

namespace attend {
namespace {

constexpr std::array keywords{
    "and",  "as",     "assert", "async",  "await",  "break",   "class",    "continue", "def",
    "del",  "elif",   "else",   "except", "False",  "finally", "for",      "from",     "global",
    "if",   "import", "in",     "is",     "lambda", "None",    "nonlocal", "not",      "or",
    "pass", "raise",  "return", "True",   "try",    "while",   "with",     "yield"};

// Commands that only set type, and those that stand for another word.
std::string word_of(std::string_view command) {
  static constexpr std::array silent{"text", "mathrm", "mathbf", "mathcal", "operatorname",
                                     "left", "right",  "cdot",   "big",     "mathbb"};
  if (std::find(silent.begin(), silent.end(), command) != silent.end()) return "";
  if (command == "top") return "T";
  if (command == "varphi") return "phi";
  if (command == "varepsilon") return "epsilon";
  if (command == "infty") return "infinity";
  return std::string(command);
}

bool is_accent(std::string_view command) {
  static constexpr std::array accents{"bar", "hat", "tilde", "vec", "dot", "check"};
  return std::find(accents.begin(), accents.end(), command) != accents.end();
}

std::string sign_word(char c) {
  if (c == '+') return "plus";
  if (c == '-') return "minus";
  if (c == '/') return "over";
  if (c == '\'') return "prime";
  return "";
}

// The words of a symbol, joined; an accent follows the letter that it belongs to.
class SymbolReader {
 public:
  std::string read(std::string_view s) {
    for (std::size_t i = 0; i < s.size();) {
      std::size_t end = i + 1;
      if (s[i] == '\\') {
        while (end < s.size() && is_letter(s[end])) ++end;
        const std::string_view command = s.substr(i + 1, end - i - 1);
        if (command.empty()) end = i + 2;  // "\," and its like
        if (is_accent(command)) {
          accent_ = command;
        } else {
          put(word_of(command));
        }
      } else if (is_letter(s[i]) || is_digit(s[i])) {
        // An accent belongs to one letter.
        while (accent_.empty() && end < s.size() && (is_letter(s[end]) || is_digit(s[end]))) ++end;
        put(std::string(s.substr(i, end - i)));
      } else {
        put(sign_word(s[i]));
      }
      i = end;
    }
    return text_;
  }

 private:
  void put(const std::string& word) {
    if (word.empty()) return;
    text_ += (text_.empty() ? "" : "_") + word;
    if (!accent_.empty()) text_ += "_" + accent_;
    accent_.clear();
  }

  std::string text_, accent_;
};

}  // namespace

std::string identifier_of(std::string_view symbol) {
  std::string text = SymbolReader().read(symbol);
  if (text.empty()) return "value";
  return is_digit(text[0]) ? "v_" + text : text;
}

Identifiers::Identifiers() {
  for (const char* word : keywords) taken_.insert(word);
  for (const char* word : {"print", "list", "results", "json", "math", "sys", "np", "torch",
                           "x_type", "sum", "max", "min", "attention"})
    taken_.insert(word);
  for (std::string& helper : helper_names()) taken_.insert(std::move(helper));
}

bool is_python_keyword(std::string_view name) {
  return std::find(keywords.begin(), keywords.end(), name) != keywords.end();
}

std::string identifier_of_name(std::string_view name) {
  std::string plain(name);
  std::replace(plain.begin(), plain.end(), '-', '_');
  return identifier_of(plain);
}

std::string Identifiers::unique(std::string_view symbol) { return unused(identifier_of(symbol)); }

std::string Identifiers::unique_name(std::string_view name) {
  return unused(identifier_of_name(name));
}

std::string Identifiers::unused(const std::string& base) {
  if (taken_.insert(base).second) return base;
  for (std::size_t k = 2;; ++k) {
    std::string next = base + "_" + std::to_string(k);
    if (taken_.insert(next).second) return next;
  }
}

}  // namespace attend
