// SPDX-License-Identifier: Apache-2.0
#include "assembly/leaf_axes.h"

namespace attend {
namespace {

// The symbols of rows that are queries in a result: a single row, or rows made by a query or a step. In a parameter
// they are features.
bool is_query_in_results_only(std::string_view word) {
  return word == "1" || word == "r" || word == "t";
}

}  // namespace

std::vector<NamedAxis> parameter_axes(const Family& family, std::string_view words,
                                      const SymbolOf& symbol) {
  std::vector<NamedAxis> axes;
  if (family.hops > 0) axes.push_back({"hops", AxisRole::layer});
  if (family.heads > 0) axes.push_back({"h", AxisRole::head});
  for (const std::string_view word : symbols_in(words))
    axes.push_back(
        {symbol(word), is_query_in_results_only(word) ? AxisRole::feature : axis_role(word)});
  return axes;
}

std::vector<NamedAxis> input_axes(std::string_view words, const Shape& shape,
                                  const SymbolOf& symbol) {
  std::vector<NamedAxis> axes;
  for (const std::string_view word : symbols_in(words))
    axes.emplace_back(axis_of(word)).symbol = symbol(word);
  if (axes.size() != shape.size()) axes.clear();
  return axes;
}

}  // namespace attend
