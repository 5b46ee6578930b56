// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>
#include <string>
#include <vector>

#include "ops/random.h"
#include "tests/experiment/harness.h"

// An alignment by itself: scores given as energies, two-dimensional queries, keys and values.
namespace attend::testing {

struct Case {
  Array energy;
  Json alignment;                    // an id, or an object
  Json parameters = Json::object();  // by name behind "alignment."
  Array mask = {};                   // empty: none
  std::string gradient_of = {};
  Array cotangent = {};

  [[nodiscard]] Json document() const {
    const std::size_t m = energy.rows(), n = energy.cols();
    Json json{{"schema", "attention-playground/1"}, {"seed", 3}};
    json["mechanism"] = {
        {"type", "attention"}, {"score", "external-energy"}, {"alignment", alignment}};
    if (!mask.data.empty()) {
      Json rows = Json::array();
      for (std::size_t i = 0; i < mask.rows(); ++i) rows.push_back(mask.row(i));
      json["mechanism"]["mask"] = Json::array({{{"type", "mask-explicit"}, {"allowed", rows}}});
    }
    json["inputs"] = {{"energy", to_json(energy)},
                      {"query", to_json(noise({m, 2}, 1, "q"))},
                      {"key", to_json(noise({n, 2}, 1, "k"))},
                      {"value", to_json(values())}};
    for (const auto& [name, value] : parameters.items())
      json["parameters"]["alignment." + name] = value;
    if (!gradient_of.empty())
      json["gradient"] = {{"of", gradient_of}, {"cotangent", to_json(cotangent)}};
    return json;
  }
  [[nodiscard]] Ran run() const { return run_json(document()); }
  [[nodiscard]] Array weights() const { return run().outputs.at("weights"); }
  [[nodiscard]] Array values() const { return noise({energy.cols(), 2}, 1, "v"); }

  // Normal numbers in steps of 1/64 of the spread's power of two: the same in float and double.
  static Array noise(const Shape& shape, double spread, const std::string& name) {
    const RandomStream stream(7, name);
    Array array(shape);
    for (std::size_t i = 0; i < array.data.size(); ++i)
      array.data[i] = std::round(stream.normal(i) * spread * 64) / 64;
    return array;
  }
};

inline Json with(const std::string& id, const Json& knobs) {
  Json json = knobs;
  json["type"] = id;
  return json;
}

inline Array scaled(Array a, double by, double plus = 0) {
  for (double& x : a.data) x = x * by + plus;
  return a;
}

inline double sum_of(const Row& row) {
  double sum = 0;
  for (const double x : row) sum += x;
  return sum;
}

inline std::size_t best_of(const Row& row) {
  return static_cast<std::size_t>(std::max_element(row.begin(), row.end()) - row.begin());
}

}  // namespace attend::testing
