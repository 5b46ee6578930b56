// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/scope.h"

// The roles of the axes of inputs and parameters, read from the shapes that records state.
namespace attend {

// The symbol that a module's caller has for one of its own.
using SymbolOf = std::function<std::string(std::string_view)>;

// Of a parameter: [hops] [heads] and the words of its shape. A row of a table is a feature, unless
// its symbol counts tokens, heads, layers, classes, or the sides of an image.
std::vector<NamedAxis> parameter_axes(const Family& family, std::string_view words,
                                      const SymbolOf& symbol);

// Of an input, as the first role that reads it states its shape; none where they do not agree.
std::vector<NamedAxis> input_axes(std::string_view words, const Shape& shape,
                                  const SymbolOf& symbol);

}  // namespace attend
