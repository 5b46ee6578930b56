// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace attend {

// ASCII letters and digits, whatever the locale.
bool is_letter(char c);
bool is_digit(char c);
// A name of Python, or several with points between.
bool is_name(const std::string& text);
// "a, b".
std::string joined(const std::vector<std::string>& list);
// The text with a space for each control character, so that a comment does not end before its text does.
std::string one_line(std::string text);

}  // namespace attend
