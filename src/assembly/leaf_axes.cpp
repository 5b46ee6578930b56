// SPDX-License-Identifier: Apache-2.0
#include "assembly/leaf_axes.h"

#include "catalogue/axis_vocabulary.h"

namespace attend {
namespace {

AxisRole role_in_parameter(std::string_view word) {
  const AxisWord* known = axis_word(word);
  return known == nullptr || known->width_of_weights ? AxisRole::feature : known->role;
}

}  // namespace

std::vector<NamedAxis> parameter_axes(const Family& family, std::string_view words,
                                      const SymbolOf& symbol) {
  std::vector<NamedAxis> axes;
  if (family.hops > 0) axes.push_back({"hops", AxisRole::layer});
  if (family.heads > 0) axes.push_back({"h", AxisRole::head});
  for (const std::string_view word : symbols_in(words))
    axes.push_back({symbol(word), role_in_parameter(word)});
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
