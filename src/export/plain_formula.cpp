// SPDX-License-Identifier: Apache-2.0
#include "export/plain_formula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "export/plain_text.h"

namespace attend {
namespace {

using Pair = std::pair<std::string_view, std::string_view>;

// Commands that set type or size only: what they act on is written without them.
constexpr std::array silent{"text",  "mathrm", "mathbf", "mathcal", "mathbb",    "operatorname",
                            "left",  "right",  "big",    "Big",     "bigl",      "bigr",
                            "Bigl",  "Bigr",   "limits", "quad",    "textstyle", "nolimits",
                            "qquad", "end",    "begin"};
constexpr std::array accents{Pair{"bar", "bar"},
                             Pair{"hat", "hat"},
                             Pair{"tilde", "tilde"},
                             Pair{"vec", "vec"},
                             Pair{"dot", "dot"},
                             Pair{"overrightarrow", "forward"},
                             Pair{"overleftarrow", "backward"}};
// Commands with another name or sign; all others are written by their own names.
constexpr std::array signs{Pair{"cdot", " · "},
                           Pair{"odot", " * "},
                           Pair{"times", " x "},
                           Pair{"circ", " ∘ "},
                           Pair{"le", " <= "},
                           Pair{"ge", " >= "},
                           Pair{"ne", " != "},
                           Pair{"in", " in "},
                           Pair{"sim", " ~ "},
                           Pair{"propto", " ∝ "},
                           Pair{"leftarrow", " <- "},
                           Pair{"mapsto", " -> "},
                           Pair{"equiv", " ≡ "},
                           Pair{"cup", " ∪ "},
                           Pair{"cap", " ∩ "},
                           Pair{"mid", " | "},
                           Pair{"setminus", " without "},
                           Pair{"subseteq", " ⊆ "},
                           Pair{"bmod", " mod "},
                           Pair{"oplus", " xor "},
                           Pair{"exists", "∃ "},
                           Pair{"partial", "∂"},
                           Pair{"varnothing", "∅"},
                           Pair{"dots", ".."},
                           Pair{"cdots", ".."},
                           Pair{"colon", ":"},
                           Pair{"lfloor", "floor("},
                           Pair{"rfloor", ")"},
                           Pair{"lceil", "ceil("},
                           Pair{"rceil", ")"},
                           Pair{"lVert", "||"},
                           Pair{"rVert", "||"},
                           Pair{"|", "||"},
                           Pair{"top", "T"},
                           Pair{"infty", "inf"},
                           Pair{"varphi", "phi"},
                           Pair{"imath", "i"},
                           Pair{"varepsilon", "epsilon"},
                           Pair{"ell", "l"},
                           Pair{"%", "%"},
                           Pair{"{", "{"},
                           Pair{"}", "}"},
                           Pair{",", " "},
                           Pair{";", " "},
                           Pair{" ", " "},
                           Pair{"!", ""},
                           Pair{"\\", "; "}};

template <std::size_t N>
const Pair* found_in(const std::array<Pair, N>& list, std::string_view name) {
  for (const Pair& pair : list) {
    if (pair.first == name) return &pair;
  }
  return nullptr;
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool is_one_of(char c, std::string_view list) { return list.find(c) != std::string_view::npos; }

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(' ');
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// Whether a text has one of these characters outside of brackets, behind its first.
bool has_outside(const std::string& text, std::string_view list) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_one_of(text[i], ")]}")) --depth;
    if (depth == 0 && i > 0 && is_one_of(text[i], list)) return true;
    if (is_one_of(text[i], "([{")) ++depth;
  }
  return false;
}

// The text in brackets where a reader would take only a part of it for the operand.
std::string operand(const std::string& text, std::string_view parting) {
  return has_outside(text, parting) || (text.size() > 1 && text[0] == '-') ? "(" + text + ")"
                                                                           : text;
}

class FormulaReader {
 public:
  explicit FormulaReader(std::string_view latex) : s_(latex) {}

  // Up to the end, or to a closing brace.
  std::string read() {
    std::string text;
    while (at_ < s_.size() && s_[at_] != '}') piece(text);
    return trimmed(text);
  }

 private:
  void piece(std::string& text) {
    const char c = s_[at_];
    if (c == '\\') {
      command(text);
    } else if (c == '{') {
      put(text, argument());
    } else if (c == '_' || c == '^') {
      ++at_;
      script(text, c);
    } else if (c == '&') {
      ++at_;
      put(text, s_.substr(at_, 7) == " \\text{" ? " " : " for ");
    } else {
      ++at_;
      put(text, c == '=' ? " = " : std::string_view(&c, 1));
    }
  }

  // Spaces are written once. A word beside another one is another factor.
  void put(std::string& text, std::string_view more, bool word = false) {
    const bool space = text.empty() || is_one_of(text.back(), " (");
    if (space && !more.empty() && more[0] == ' ') more.remove_prefix(1);
    if (more.empty()) return;
    while (more[0] == ')' && text.back() == ' ') text.pop_back();
    const bool behind = !text.empty() && (is_word(text.back()) || text.back() == ')');
    if (is_word(more[0]) && behind && (word || apart_)) text += ' ';
    text += more;
    apart_ = word;
  }

  // What a command acts on: a group, a command or one character.
  std::string argument() {
    while (at_ < s_.size() && s_[at_] == ' ') ++at_;
    if (at_ == s_.size()) return "";
    const bool apart = std::exchange(apart_, false);
    std::string text;
    if (s_[at_] == '{') {
      ++at_;
      text = read();
      at_ = std::min(at_ + 1, s_.size());
    } else {
      piece(text);
    }
    apart_ = apart;
    return trimmed(text);
  }

  void command(std::string& text) {
    const std::size_t begin = ++at_;
    while (at_ < s_.size() && is_letter(s_[at_])) ++at_;
    if (at_ == begin && at_ < s_.size()) ++at_;
    const std::string_view name = s_.substr(begin, at_ - begin);
    if (name == "frac" || name == "tfrac") {
      fraction(text);
    } else if (name == "sqrt") {
      put(text, "sqrt(" + argument() + ")", true);
    } else if (const Pair* accent = found_in(accents, name)) {
      put(text, argument() + "_" + std::string(accent->second), true);
    } else if (const Pair* sign = found_in(signs, name)) {
      put(text, sign->second, !sign->second.empty() && is_letter(sign->second[0]));
    } else if (std::find(silent.begin(), silent.end(), name) != silent.end()) {
      typed(text, name);
    } else {
      put(text, name, true);
      large_ = name == "sum" || name == "prod";
    }
  }

  void typed(std::string& text, std::string_view name) {
    if (at_ < s_.size() && is_one_of(s_[at_], "*.")) ++at_;
    if (name == "quad" || name == "qquad") return put(text, " ");
    const std::string inner = at_ < s_.size() && s_[at_] == '{' ? argument() : "";
    if (name == "begin") return put(text, "{ ");
    if (name == "end") return put(text, " }");
    put(text, inner, true);
  }

  void fraction(std::string& text) {
    const std::string above = argument(), below = argument();
    const bool called = !below.empty() && is_letter(below[0]);  // sqrt(x), and not 2(x + y)
    const std::string whole =
        operand(above, "+-,=") + " / " + operand(below, called ? " +-/*,|=<>" : " +-/*,|=<>(");
    const std::string before = trimmed(text);
    std::string_view rest = s_.substr(std::min(at_, s_.size()));
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const bool ends = rest.empty() || is_one_of(rest[0], ",;)]}+-=") ||
                      rest.starts_with("\\right") || rest.starts_with("\\big") ||
                      rest.starts_with("\\Big");
    const bool begins = before.empty() || is_one_of(before.back(), "=,;([{+-");
    put(text, begins && ends ? whole : "(" + whole + ")", true);
  }

  void script(std::string& text, char kind) {
    const bool large = std::exchange(large_, false);
    std::string inner = argument();
    while (!text.empty() && text.back() == ' ') text.pop_back();
    if (kind == '^') {
      text += "^" + operand(inner, " +-/*,|=<>(");
    } else if (inner.size() == 1 || std::all_of(inner.begin(), inner.end(), is_word)) {
      text += "_" + inner;
    } else {
      if (large && at_ < s_.size() && s_[at_] == '^') {
        ++at_;
        inner += ".." + argument();
      }
      text += "[" + inner + "]";
    }
    apart_ = true;
  }

  std::string_view s_;
  std::size_t at_ = 0;
  bool apart_ = false;  // a letter that comes next is another factor
  bool large_ = false;  // a sum or a product, whose bounds come next
};

}  // namespace

std::vector<std::string> plain_formula(std::string_view latex) {
  std::vector<std::string> lines;
  int depth = 0;
  std::size_t begin = 0;
  const auto line = [&](std::size_t end) {
    std::string text = FormulaReader(latex.substr(begin, end - begin)).read();
    while (!text.empty() && is_one_of(text.back(), ",; ")) text.pop_back();
    if (!text.empty()) lines.push_back(std::move(text));
    begin = end;
  };
  for (std::size_t at = 0; at < latex.size(); ++at) {
    const std::string_view rest = latex.substr(at);
    if (latex[at] == '{') ++depth;
    if (latex[at] == '}') --depth;
    const bool apart = rest.starts_with("\\quad") || rest.starts_with("\\qquad");
    if (apart && depth == 0 && at > 0 && is_one_of(latex[at - 1], ",;")) line(at);
    if (latex[at] == '\\') ++at;
  }
  line(latex.size());
  return lines;
}

}  // namespace attend
