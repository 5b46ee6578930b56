// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace attend {

// A LaTeX symbol or a dotted name as a Python identifier: "\bar a" is a_bar, "Q K^{\top}" is Q_K_T,
// "score.W1" is score_W1.
std::string identifier_of(std::string_view symbol);

// Hands out identifiers that differ from each other and from Python's own words.
class Identifiers {
 public:
  Identifiers();
  std::string unique(std::string_view symbol);

 private:
  std::set<std::string, std::less<>> taken_;
};

}  // namespace attend
