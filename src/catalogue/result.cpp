// SPDX-License-Identifier: Apache-2.0
#include "catalogue/result.h"

#include <algorithm>
#include <array>

#include "ops/error.h"

namespace attend {

namespace {
struct AxisSymbol {
  std::string_view symbol;
  AxisRole role;
  bool time = false;
};

AxisSymbol known_symbol(std::string_view symbol) {
  // What is not listed is the width of something: a feature.
  static constexpr std::array table{
      AxisSymbol{"m", AxisRole::query},       AxisSymbol{"1", AxisRole::query},
      AxisSymbol{"t", AxisRole::query, true}, AxisSymbol{"r", AxisRole::query},
      AxisSymbol{"n", AxisRole::key},         AxisSymbol{"n1", AxisRole::key},
      AxisSymbol{"n2", AxisRole::key},        AxisSymbol{"J", AxisRole::key},
      AxisSymbol{"nt", AxisRole::key},        AxisSymbol{"nl", AxisRole::key},
      AxisSymbol{"nr", AxisRole::key},        AxisSymbol{"areas", AxisRole::key},
      AxisSymbol{"E", AxisRole::key},         AxisSymbol{"u", AxisRole::class_},
      AxisSymbol{"v", AxisRole::class_},      AxisSymbol{"c", AxisRole::class_},
      AxisSymbol{"h", AxisRole::head},        AxisSymbol{"G", AxisRole::head},
      AxisSymbol{"L", AxisRole::layer},       AxisSymbol{"Ldec", AxisRole::layer},
      AxisSymbol{"H", AxisRole::height},      AxisSymbol{"W", AxisRole::width},
      AxisSymbol{"C", AxisRole::channel},     AxisSymbol{"batch", AxisRole::batch},
      AxisSymbol{"time", AxisRole::time}};
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const AxisSymbol& e) { return e.symbol == symbol; });
  return found == table.end() ? AxisSymbol{symbol, AxisRole::feature} : *found;
}

AxisRole role_called(std::string_view name) {
  for (int role = 0; role <= static_cast<int>(AxisRole::batch); ++role)
    if (role_name(static_cast<AxisRole>(role)) == name) return static_cast<AxisRole>(role);
  refuse("its build function gives an axis the unknown role \"" + std::string(name) + "\"");
}
}  // namespace

AxisRole axis_role(std::string_view symbol) { return known_symbol(symbol).role; }

NamedAxis axis_of(std::string_view word) {
  const std::size_t colon = word.find(':');
  const std::string_view symbol = word.substr(0, colon);
  if (colon == std::string_view::npos) {
    const AxisSymbol known = known_symbol(symbol);
    return {std::string(symbol), known.role, "", known.time};
  }
  return {std::string(symbol), role_called(word.substr(colon + 1))};
}

}  // namespace attend
