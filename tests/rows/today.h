// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <string>

#include "experiment/reading/document.h"
#include "ops/error.h"
#include "ops/random.h"
#include "tests/experiment/harness.h"

// Small documents of one module that reads rows x, for the laws of layers, heads and cells.
namespace attend::testing::today {

inline Array random(const Shape& shape, const std::string& name) {
  const RandomStream stream(23, name);
  Array array(shape);
  for (std::size_t i = 0; i < array.data.size(); ++i) array.data[i] = stream.normal(i) / 2;
  return array;
}

inline Array scaled(Array x, double by) {
  for (double& number : x.data) number *= by;
  return x;
}

using Given = std::map<std::string, Array>;

inline Json document(const Json& mechanism, const Array& x, const Given& parameters = {}) {
  Json json{{"schema", std::string(schema_version)},
            {"seed", 5},
            {"inputs", {{"x", to_json(x)}}},
            {"mechanism", mechanism}};
  for (const auto& [name, array] : parameters) json["parameters"][name] = to_json(array);
  return json;
}

// Self-attention with these heads, and more members of the module.
inline Json in_heads(const Json& heads, const Json& members = Json::object()) {
  Json module{{"type", "attention"}, {"query", "self-attention"}, {"heads", heads}};
  module.update(members);
  return module;
}

inline Array output(const Json& json, const std::string& name = "output") {
  return run_json(json).outputs.at(name);
}

inline void same(const Array& a, const Array& b, double within = 10 * tolerance) {
  CHECK_MESSAGE(distance(a, b) < within, "off by " << distance(a, b));
}

// Changing later rows moves no earlier one, not by a bit.
inline void check_causal(const Json& json, const std::string& name = "output") {
  const Array before = output(json, name);
  Json changed = json;
  std::vector<double> data = json["inputs"]["x"]["data"];
  const std::size_t d = json["inputs"]["x"]["shape"][1], kept = 3 * d;
  for (std::size_t i = kept; i < data.size(); ++i) data[i] = 1.5 - 2 * data[i];
  changed["inputs"]["x"]["data"] = data;
  const Array after = output(changed, name);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t c = 0; c < before.cols(); ++c) CHECK(after(i, c) == before(i, c));
  }
  CHECK(distance(after, before) > 1e-3);
}

}  // namespace attend::testing::today
