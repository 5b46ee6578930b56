// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>

#include "ops/random.h"
#include "tests/experiment/harness.h"

// Documents with masks, for the tests of the rows of F1.
namespace attend::testing {

inline Array noise(const Shape& shape, const std::string& name) {
  const RandomStream stream(11, name);
  Array array(shape);
  for (std::size_t i = 0; i < array.data.size(); ++i) array.data[i] = stream.normal(i);
  return array;
}

// m queries and n keys of width 6 under the masks; values of their own, 6 wide.
inline Json masked(const Json& masks, std::size_t m, std::size_t n, const Json& parameters = {}) {
  Json document{{"schema", "attention-playground/1"}, {"seed", 3}};
  document["inputs"] = {{"query", to_json(noise({m, 6}, "q"))},
                        {"key", to_json(noise({n, 6}, "k"))},
                        {"value", to_json(noise({n, 6}, "v"))}};
  document["mechanism"] = {{"type", "attention"}, {"score", "dot"}};
  document["mechanism"]["mask"] = masks.is_array() ? masks : Json::array({masks});
  if (!parameters.is_null()) document["parameters"] = parameters;
  return document;
}

inline Json masked(const char* masks, std::size_t m, std::size_t n, const Json& parameters = {}) {
  return masked(Json::parse(masks), m, n, parameters);
}

inline Array pairs(const char* masks, std::size_t n, const Json& parameters = {}) {
  return run_json(masked(masks, n, n, parameters)).outputs.at("mask");
}

// The mask that a condition on (i, j) describes.
template <class Allowed>
Array mask_where(std::size_t m, std::size_t n, Allowed allowed) {
  Array mask({m, n});
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) mask(i, j) = allowed(i, j) ? 1 : 0;
  }
  return mask;
}

inline Array full(std::size_t n) { return Array({n, n}, 1); }
inline Array own_pairs(std::size_t n) {
  return mask_where(n, n, [](std::size_t i, std::size_t j) { return i == j; });
}
inline Array past_pairs(std::size_t n) {
  return mask_where(n, n, [](std::size_t i, std::size_t j) { return j <= i; });
}

// Rows [from, to) of a table.
inline Array rows_between(const Array& all, std::size_t from, std::size_t to) {
  Array part({to - from, all.cols()});
  std::copy_n(all.data.begin() + static_cast<long>(from * all.cols()), part.data.size(),
              part.data.begin());
  return part;
}

}  // namespace attend::testing
