// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <doctest/doctest.h>
#include <string>
#include <utility>

#include "ops/random.h"
#include "tests/experiment/harness.h"

// Small documents of self-attention with a position, for the tests of the position rows.
namespace attend::testing::positions {

inline Array random_array(Shape shape, const std::string& name) {
  Array array(std::move(shape));
  const RandomStream stream(11, name);
  for (std::size_t i = 0; i < array.data.size(); ++i) array.data[i] = stream.normal(i);
  return array;
}

inline Array zeros_of(Shape shape) { return Array(std::move(shape)); }

inline Array rows_of(const Array& x, std::size_t start, std::size_t stop) {
  Array part({stop - start, x.cols()});
  for (std::size_t i = start; i < stop; ++i) {
    for (std::size_t c = 0; c < x.cols(); ++c) part(i - start, c) = x(i, c);
  }
  return part;
}

inline Array scaled(Array x, double factor) {
  for (double& number : x.data) number *= factor;
  return x;
}

// Self-attention over n rows of width d; `position` with its knobs.
inline Json document(const Json& position, std::size_t n = 6, std::size_t d = 4) {
  return {{"schema", "attention-playground/1"},
          {"seed", 3},
          {"inputs",
           {{"query", to_json(random_array({n, d}, "x"))},
            {"value", to_json(random_array({n, 3}, "v"))}}},
          {"mechanism", {{"type", "attention"}, {"position", position}}},
          {"parameters", Json::object()}};
}

inline Json with(Json json, const std::string& parameter, const Array& array) {
  json["parameters"][parameter] = to_json(array);
  return json;
}

// The scores of the rows in front are the same as without what stands behind them, or before them.
inline void check_shift(Json json, std::size_t n) {
  const Ran whole = run_json(json);
  const Array x = whole.outputs.at("key");
  for (const char* role : {"query", "value"})
    json["inputs"][role] = to_json(rows_of(whole.outputs.at(role), 2, n));
  const Ran later = run_json(json);
  for (std::size_t i = 0; i + 2 < n; ++i) {
    for (std::size_t j = 0; j + 2 < n; ++j) {
      CHECK(std::abs(later.outputs.at("scores")(i, j) - whole.outputs.at("scores")(i + 2, j + 2)) <
            10 * tolerance);
    }
  }
}

}  // namespace attend::testing::positions
