// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <initializer_list>
#include <map>
#include <string>

#include "tests/rows/cores.h"

// Documents of recurrent cores with their parameters given, and what two of them have in common.
namespace attend::testing::recurrent {

inline constexpr std::size_t n = 6, p = 4;

using Given = std::map<std::string, Array>;

inline Json core(const char* id, const Given& parameters = {}, Json knobs = Json::object(),
                 std::size_t rows = n) {
  knobs["type"] = id;
  Json document = tokens(std::move(knobs), rows, p);
  for (const auto& [name, array] : parameters)
    document["parameters"]["structure." + name] = to_json(array);
  return document;
}

// Numbers between 0 and 1 that are the same for the same name.
inline Array gates(const char* name, const Shape& shape) {
  Array gate(shape);
  const Array x = random(name, 1, gate.data.size(), 3);
  for (std::size_t i = 0; i < gate.data.size(); ++i) gate.data[i] = 1 / (1 + std::exp(-x.data[i]));
  return gate;
}

// A gate of each row, for every feature.
inline Array for_all_features(const Array& gate) {
  Array wide({gate.data.size(), p});
  for (std::size_t i = 0; i < wide.data.size(); ++i) wide.data[i] = gate.data[i / p];
  return wide;
}

inline void equal_results(const Json& one, const Json& other,
                          std::initializer_list<const char*> names = {"context", "implied", "state",
                                                                      "states"}) {
  const Ran a = run_json(one), b = run_json(other);
  for (const char* name : names)
    CHECK_MESSAGE(distance(a.outputs.at(name), b.outputs.at(name)) < close, name);
}

inline Array causal_products(const Ran& ran, double scale) {
  const Array &q = ran.outputs.at("query"), &k = ran.outputs.at("key");
  Array map({n, n});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) map(i, j) = scale * inner(q.row(i), k.row(j));
  }
  return map;
}

inline const Array one_each({n}, 1), half_each({n}, .5), zero_each({n}, 0);

}  // namespace attend::testing::recurrent
