// SPDX-License-Identifier: Apache-2.0
// Several examples, each with masks of its own, beside several heads: the kernel reads the masks of the right example.
#include <cmath>
#include <doctest/doctest.h>

#include "catalogue/mechanism.h"
#include "ops/error.h"
#include "tests/experiment/harness.h"

namespace attend::testing::masks_of_examples_test {
namespace {

constexpr std::size_t tokens = 66;  // enough for a kernel

Json rows(double start) {
  Array array({tokens, 8});
  for (std::size_t i = 0; i < array.data.size(); ++i)
    array.data[i] = std::sin(static_cast<double>(i * 7 + i % 13) * .61 + start);
  return to_json(array);
}

Json document(const Json& mechanism, int examples) {
  Json json{{"schema", "attention-playground/1"},
            {"seed", 3},
            {"mechanism", mechanism},
            {"gradient", {{"of", "context"}}},
            {"outputs", {"context"}}};
  json["mechanism"]["type"] = "attention";
  json["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
  for (int i = 0; i < examples; ++i)
    json["examples"].push_back({{"query", rows(i)}, {"key", rows(i + .3)}, {"value", rows(i + 5)}});
  return json;
}

// Whether such a document can be computed; then its context alone is that beside the map.
bool is_the_same_beside_its_map(const Json& mechanism, int examples) {
  CAPTURE(mechanism.dump());
  CAPTURE(examples);
  Json alone = document(mechanism, examples), beside = alone;
  beside["outputs"] = {"context", "weights"};
  try {
    const Ran fast = run_json(alone), plain = run_json(beside);
    CHECK(distance(fast.outputs.at("context"), plain.outputs.at("context")) < 10 * tolerance);
    for (const auto& [name, array] : plain.gradients)
      CHECK_MESSAGE(distance(fast.gradients.at(name), array) < 100 * tolerance, name);
    return true;
  } catch (const Error&) {
    return false;  // a mask that needs more inputs
  }
}

TEST_CASE("masks of several examples with several heads are those of the right example") {
  int known = 0;
  for (const Mechanism* mechanism : all_mechanisms()) {
    if (mechanism->kind() != Kind::mask) continue;
    // As many examples as heads, and more.
    for (const int examples : {2, 3})
      known += is_the_same_beside_its_map({{"mask", {mechanism->id}}}, examples) ? 1 : 0;
  }
  CHECK(known > 20);
}

TEST_CASE("so are they beside a sink and below a cap") {
  for (const char* mask : {"mask-routing", "mask-selection", "mask-bigbird"}) {
    for (const Json& alignment : {Json("learned-sink"), Json{{"type", "soft-cap"}, {"cap", 3}}})
      CHECK(is_the_same_beside_its_map({{"mask", {mask}}, {"alignment", alignment}}, 3));
  }
}

}  // namespace
}  // namespace attend::testing::masks_of_examples_test
