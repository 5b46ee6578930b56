// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <numeric>

#include "catalogue/tables.h"
#include "ops/random.h"
#include "tests/experiment/harness.h"

// Small tables, and the scores and weights that a document of one score gives for them.
namespace attend::testing::tables {

inline Array random(const Shape& shape, const char* name) {
  Array array(shape);
  const RandomStream stream(11, name);
  for (std::size_t i = 0; i < array.data.size(); ++i) array.data[i] = stream.normal(i);
  return array;
}

inline const Array q = random({4, 6}, "q"), k = random({5, 6}, "k"),
                   other = random({4, 6}, "other");
inline const Array W = random({6, 6}, "W"), wide = random({3, 6}, "wide"), b = random({6}, "b"),
                   w = random({6}, "w");

inline Array flat(const std::vector<Array>& parts) {  // one behind the other, as a vector
  Array all({0});
  for (const Array& part : parts)
    all.data.insert(all.data.end(), part.data.begin(), part.data.end());
  all.shape = {all.data.size()};
  return all;
}

inline Array stacked(const Array& above, const Array& below) {
  Array all = flat({above, below});
  all.shape = {above.rows() + below.rows(), above.cols()};
  return all;
}

inline Array operator*(double a, Array x) {
  for (double& number : x.data) number *= a;
  return x;
}

inline Array operator+(Array x, const Array& row) {  // a number, a row, or a table
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] += row.data[i % row.data.size()];
  return x;
}

inline Array number(double value) { return Array(Shape{}, value); }

inline Array eye(std::size_t n) {
  Array one({n, n});
  for (std::size_t i = 0; i < n; ++i) one(i, i) = 1;
  return one;
}

inline Array unit_rows(Array x) {
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const double length = std::sqrt(inner(x.row(i), x.row(i)));
    for (std::size_t c = 0; c < x.cols(); ++c) x(i, c) /= length;
  }
  return x;
}

using Given = std::map<std::string, Array>;

inline Json document(const Json& score, const Array& query, const Array& key, const Given& given) {
  Json json{{"schema", "attention-playground/1"}, {"seed", 1}, {"mechanism", {{"score", score}}}};
  json["inputs"] = {{"query", to_json(query)}, {"key", to_json(key)}};
  for (const auto& [name, tensor] : given) json["parameters"]["score." + name] = to_json(tensor);
  return json;
}

inline Array output(const char* name, const Json& score, const Array& query, const Array& key,
                    const Given& given = {}) {
  return run_json(document(score, query, key, given)).outputs.at(name);
}

inline Array scores(const Json& score, const Array& query, const Array& key,
                    const Given& given = {}) {
  return output("scores", score, query, key, given);
}

inline Array weights(const Json& score, const Array& query, const Array& key,
                     const Given& given = {}) {
  return output("weights", score, query, key, given);
}

// Whether nothing is computed pair by pair: no node of the graph has more than two axes.
inline bool only_tables(const Json& json) {
  const Compiled recording = compile(read_document(json));
  const Graph& graph = recording.graph();
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (graph[id].shape.size() > 2) return false;
  }
  return true;
}

inline Json with(const char* id, Json knobs) {
  knobs["type"] = id;
  return knobs;
}

inline Array reversed(Array x) {
  std::reverse(x.data.begin(), x.data.end());
  return x;
}

inline void same(const Array& x, const Array& y) { CHECK(distance(x, y) < 10 * tolerance); }
inline void differ(const Array& x, const Array& y) { CHECK(distance(x, y) > 1e-3); }

inline double largest(const Array& x) {
  double most = 0;
  for (const double number : x.data) most = std::max(most, std::abs(number));
  return most;
}

}  // namespace attend::testing::tables
