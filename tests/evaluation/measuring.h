// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "experiment/measuring/measuring.h"
#include "tests/checkout.h"

namespace attend::testing {

// The result of a measurement written as JSON text, and its value.
inline Json measured(const std::string& measurement) {
  return answer_measurement(parse_json(measurement));
}
inline double value_of(const Json& measurement) {
  return answer_measurement(measurement)["value"].get<double>();
}
inline double value_of(const std::string& measurement) { return value_of(parse_json(measurement)); }
inline double value_of(const char* measurement) { return value_of(parse_json(measurement)); }

// Weights that are exactly those given: scores are their logarithms, and values are classes.
inline Json given_weights(const std::string& weights, const std::string& values) {
  Json document = parse_json(R"({"schema": "attention-playground/1",
    "inputs": {"query": {"matrix": [[1]]}, "key": {"matrix": []}, "energy": {"matrix": []}, "value": {"matrix": )" +
                             values + R"(}},
    "mechanism": {"type": "attention", "score": "external-energy"}})");
  Json energies = parse_json(weights), keys = Json::array(), queries = Json::array();
  for (Json& row : energies) {
    queries.push_back({1});
    for (Json& weight : row) weight = std::log(weight.get<double>());
  }
  for (std::size_t j = 0; j < energies[0].size(); ++j) keys.push_back({1});
  document["inputs"]["energy"]["matrix"] = energies;
  document["inputs"]["key"]["matrix"] = keys;
  document["inputs"]["query"]["matrix"] = queries;
  return document;
}

inline Json measured(const Json& measure, const Json& document, Json more = Json::object()) {
  more["measure"] = measure;
  more["document"] = document;
  return answer_measurement(more);
}

inline std::vector<double> detail(const Json& answer, const std::string& name) {
  return answer["details"][name]["data"].get<std::vector<double>>();
}

// Sentences of which one has three tokens, read by recurrent cells, attended to and classified.
inline Json classifier(bool batch) {
  Json document = parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"text": {"tokens": ["not", "a", "good", "film"]}},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "text"}, "dim": 4},
      {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 3},
      {"name": "att", "type": "attention", "query": "query-learned", "score": {"type": "additive", "hidden": 3},
       "inputs": {"key": "encoder"}},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "att"}, "classes": 3}]})");
  if (!batch) return document;
  document["examples"] = parse_json(R"([{"text": {"tokens": ["not", "a", "good", "film"]}},
    {"text": {"tokens": ["a", "very", "good", "film"]}}, {"text": {"tokens": ["film", "a", "bad", "film"]}}])");
  document["model"][0]["vocabulary"] = {"<start>", "<end>", "<unknown>", "not", "a",
                                        "good",    "film",  "very",      "bad"};
  return document;
}

inline Json document_file(const std::string& name) {
  std::ifstream stream(testing::in_checkout(name));
  std::ostringstream text;
  text << stream.rdbuf();
  return parse_json(text.str());
}

}  // namespace attend::testing
