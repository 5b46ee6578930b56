// SPDX-License-Identifier: Apache-2.0
#include "catalogue/result.h"

#include <algorithm>
#include <cctype>

#include "catalogue/axis_vocabulary.h"
#include "ops/error.h"

namespace attend {

namespace {
AxisRole role_called(std::string_view name) {
  for (int role = 0; role <= static_cast<int>(AxisRole::batch); ++role)
    if (role_name(static_cast<AxisRole>(role)) == name) return static_cast<AxisRole>(role);
  refuse("its build function gives an axis the unknown role \"" + std::string(name) + "\"");
}

// A number that is written out counts coordinates, which are features.
bool is_number(std::string_view symbol) {
  return !symbol.empty() && std::all_of(symbol.begin(), symbol.end(), [](unsigned char digit) {
    return std::isdigit(digit) != 0;
  });
}
}  // namespace

AxisRole axis_role(std::string_view symbol) {
  const AxisWord* known = axis_word(symbol);
  return known == nullptr ? AxisRole::feature : known->role;
}

NamedAxis axis_of(std::string_view word) {
  const std::size_t colon = word.find(':');
  const std::string symbol(word.substr(0, colon));
  if (colon != std::string_view::npos) return {symbol, role_called(word.substr(colon + 1))};
  if (const AxisWord* known = axis_word(symbol)) return {symbol, known->role, "", known->time};
  if (is_number(symbol)) return {symbol, AxisRole::feature};
  refuse("the axis \"" + symbol + "\" of a result or a port has no role; state the role (\"" +
         symbol + ":feature\", \"" + symbol +
         ":key\"), or add the symbol to the vocabulary in axis_vocabulary.h");
}

}  // namespace attend
