// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <string>
#include <vector>

#include "experiment/reading/document.h"
#include "ops/random.h"
#include "tests/experiment/harness.h"

// Small documents around a score, for the tests of nested and recurrent scores.
namespace attend::testing::slot_tables {

inline Array random(const Shape& shape, const std::string& name) {
  const RandomStream stream(11, name);
  Array array(shape);
  for (std::size_t i = 0; i < array.data.size(); ++i) array.data[i] = stream.normal(i) / 2;
  return array;
}

// m = 4, n = 5, dq = 6, dk = 5, dv = 3, hidden 4: no two widths that meet are alike.
inline const Array q = random({4, 6}, "q"), k = random({5, 5}, "k"), v = random({5, 3}, "v"),
                   w = random({4}, "w"), b = random({4}, "b"), W_q = random({6, 4}, "W_q"),
                   W_k = random({5, 4}, "W_k"), extra = random({4, 2}, "extra"), none = Array({4});

using Given = std::map<std::string, Array>;

inline Json document(const Json& score, const Given& parameters,
                     const Json& members = Json::object()) {
  Json document{{"schema", std::string(schema_version)},
                {"inputs",
                 {{"query", to_json(q)},
                  {"key", to_json(k)},
                  {"value", to_json(v)},
                  {"extra", to_json(extra)}}},
                {"mechanism", {{"type", "attention"}, {"score", score}}}};
  document["mechanism"].update(members);
  for (const auto& [name, array] : parameters) document["parameters"][name] = to_json(array);
  return document;
}

inline void same(const Array& x, const Array& y) { CHECK(distance(x, y) < tolerance); }

// Equal outputs of two documents.
inline void equal(const Json& x, const Json& y,
                  const std::vector<std::string>& names = {"scores", "weights", "context"}) {
  const Ran one = run_json(x), two = run_json(y);
  for (const std::string& name : names) {
    CHECK_MESSAGE(distance(one.outputs.at(name), two.outputs.at(name)) < tolerance,
                  name << " of " << x["mechanism"].dump());
  }
}

inline Json additive(const Array& bias, const Json& members = Json::object()) {
  return document("additive",
                  {{"score.W1", W_q}, {"score.W2", W_k}, {"score.b", bias}, {"score.w", w}},
                  members);
}

// The same table with further rows of zeros.
inline Array with_zero_rows(const Array& W, std::size_t more) {
  Array longer({W.rows() + more, W.cols()});
  std::copy(W.data.begin(), W.data.end(), longer.data.begin());
  return longer;
}

// Alignments that fit any sizes and scores, by the laws that they promise.
inline std::vector<const Mechanism*> alignments() {
  std::vector<const Mechanism*> list;
  for (const Mechanism* m : all_mechanisms()) {
    if (m->kind() == Kind::alignment && exclusions_of(*m).empty() && m->extents.size() == 0 &&
        m->roles.size() == 0 && m->example.empty())
      list.push_back(m);
  }
  return list;
}

inline const Json strictly_causal = Json::parse(
    R"({"mask": [{"type": "mask-explicit", "allowed": [[0,0,0,0,0],[1,0,0,0,0],[1,1,0,0,0],[1,1,1,0,0]]}]})");

}  // namespace attend::testing::slot_tables
