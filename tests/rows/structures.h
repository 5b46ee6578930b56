// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <string>

#include "tests/experiment/harness.h"

// What the tests of structures share: their examples with parameters to change, and the general
// module to compare with.
namespace attend::testing {

// The example of a structure with random parameters (biases too) and `patch` merged into it.
inline Json structure(std::string_view id, const Json& patch = Json::object(),
                      std::uint64_t seed = 1) {
  Json document = example_document(*find_mechanism(Kind::structure, id), seed);
  document.merge_patch(patch);
  return with_parameters(document, seed);
}

inline Json knobs(const Json& members) { return {{"mechanism", members}}; }

inline Json& parameter(Json& document, const std::string& name) {
  return document["parameters"]["structure." + name];
}

inline Array identity(std::size_t n) {
  Array one({n, n});
  for (std::size_t i = 0; i < n; ++i) one(i, i) = 1;
  return one;
}

inline Array input(const Json& document, const std::string& name) {
  return Array(read_document(document).inputs.at(name).tensor);
}

inline Array reshaped(Array array, Shape shape) {
  REQUIRE(element_count(shape) == array.data.size());
  array.shape = std::move(shape);
  return array;
}

inline Array column(const Array& x, std::size_t c) {
  Array one({x.rows()});
  for (std::size_t i = 0; i < x.rows(); ++i) one(i) = x(i, c);
  return one;
}

inline Array rotated_rows(Array x, std::size_t by) {
  const std::size_t row = x.data.size() / x.shape[0];
  std::rotate(x.data.begin(), x.data.begin() + static_cast<long>(by * row), x.data.end());
  return x;
}

inline void check_rows_sum_to_one(const Array& weights) {
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    double sum = 0;
    for (const double weight : weights.row(i)) sum += weight;
    CHECK(std::abs(sum - 1) < 10 * tolerance);
  }
}

inline bool near(const Array& a, const Array& b) { return distance(a, b) < 10 * tolerance; }

// The general module asked by rows given as data.
inline Ran attend(const Json& score, const Array& query, const Array& key, const Array& value,
                  const Json& parameters = Json::object()) {
  return run_json(
      {{"schema", "attention-playground/1"},
       {"inputs", {{"query", to_json(query)}, {"key", to_json(key)}, {"value", to_json(value)}}},
       {"mechanism", {{"type", "attention"}, {"score", score}}},
       {"parameters", parameters}});
}

inline Json allowed(const Array& mask) {
  Json rows = Json::array();
  for (std::size_t i = 0; i < mask.rows(); ++i) rows.push_back(mask.row(i));
  return Json::array({{{"type", "mask-explicit"}, {"allowed", rows}}});
}

}  // namespace attend::testing
