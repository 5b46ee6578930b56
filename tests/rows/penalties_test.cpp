// SPDX-License-Identifier: Apache-2.0
// Penalties are made small in training: heads that do the same cost most.
#include "tests/rows/structures.h"

namespace attend::testing::penalties_test {

TEST_CASE("disagreement: equal heads cost the whole strength, different ones less") {
  for (const char* id : {"disagreement-subspace", "disagreement-output", "disagreement-position"}) {
    const Mechanism* mechanism = find_mechanism(Kind::penalty, id);
    Json document = with_parameters(example_document(*mechanism, 2), 2);
    const double apart = run_json(document).outputs.at("penalty")();
    for (const char* name : {"heads.W_Q", "heads.W_K", "heads.W_V"}) {
      Array maps = run_json(document).parameters.at(name);
      const std::size_t one = maps.data.size() / maps.shape[0];
      for (std::size_t i = one; i < maps.data.size(); ++i) maps.data[i] = maps.data[i % one];
      document["parameters"][name] = to_json(maps);
    }
    const Ran alike = run_json(document);
    const bool cosines = std::string(id) != "disagreement-position";
    double expected = cosines ? 1 : 0;  // of equal rows; of weights the sum of their squares
    if (!cosines) {
      for (const auto one = part(alike.outputs.at("weights"), 0); const double a : one.data)
        expected += a * a;
    }
    CHECK_MESSAGE(std::abs(alike.outputs.at("penalty")() - expected) < 100 * tolerance, id);
    if (cosines) CHECK_MESSAGE(apart < expected, id);
  }
}

}  // namespace attend::testing::penalties_test
