// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace attend {

// A LaTeX symbol as a Python identifier: "\bar a" is a_bar, "Q K^{\top}" is Q_K_T, "t-1" is t_minus_1.
std::string identifier_of(std::string_view symbol);
// The dotted name of an input or a parameter, where a hyphen only joins words: "hop-1.W_Q" is hop_1_W_Q.
std::string identifier_of_name(std::string_view name);

// Whether this is one of Python's own words, so that no attribute can have this name.
bool is_python_keyword(std::string_view name);

// Hands out identifiers that differ from each other and from Python's own words.
class Identifiers {
 public:
  Identifiers();
  std::string unique(std::string_view symbol);
  std::string unique_name(std::string_view name);

 private:
  std::string unused(const std::string& base);

  std::set<std::string, std::less<>> taken_;
};

}  // namespace attend
