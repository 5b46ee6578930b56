// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <doctest/doctest.h>

#include "ops/random.h"
#include "tests/experiment/harness.h"

// Documents of one core over drawn tokens, for the tests of what each core promises.
namespace attend::testing {

inline Array random(const char* name, std::size_t rows, std::size_t columns,
                    std::uint64_t seed = 1) {
  Array x({rows, columns});
  const RandomStream stream(seed, name);
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] = stream.normal(i);
  return x;
}

inline Array unit(std::size_t n) {
  Array x({n, n});
  for (std::size_t i = 0; i < n; ++i) x(i, i) = 1;
  return x;
}

// n tokens, p wide.
inline Json tokens(Json core, std::size_t n = 6, std::size_t p = 4) {
  return {{"schema", "attention-playground/1"},
          {"inputs",
           {{"query", to_json(random("q", n, p))},
            {"key", to_json(random("k", n, p))},
            {"value", to_json(random("v", n, 3))}}},
          {"mechanism", {{"type", "attention"}, {"core", std::move(core)}}}};
}

// The same inputs through plain softmax attention.
inline Ran softmax_of(Json document, const Json& mask = Json::array()) {
  document["mechanism"] = {{"type", "attention"}, {"mask", mask}};
  document.erase("parameters");
  return run_json(document);
}

inline double gap(const Json& document, const Json& mask = Json::array(),
                  const char* name = "context") {
  return distance(run_json(document).outputs.at(name), softmax_of(document, mask).outputs.at(name));
}

inline const Json only_causal = Json::array({"mask-causal"});
inline constexpr double close = 10 * tolerance;

}  // namespace attend::testing
