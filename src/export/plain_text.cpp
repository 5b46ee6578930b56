// SPDX-License-Identifier: Apache-2.0
#include "export/plain_text.h"

#include <algorithm>

namespace attend {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_name(const std::string& text) {
  return !text.empty() && !is_digit(text[0]) && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '.';
  });
}

std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& one : list) text += (text.empty() ? "" : ", ") + one;
  return text;
}

std::string one_line(std::string text) {
  for (char& c : text) c = static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  return text;
}

}  // namespace attend
