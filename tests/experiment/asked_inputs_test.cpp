// SPDX-License-Identifier: Apache-2.0
// The vectors of an input among the results, when a document asks for them.
#include <doctest/doctest.h>

#include "experiment/service.h"
#include "ops/error.h"
#include "tests/experiment/harness.h"

namespace attend::testing::asked_inputs_test {
namespace {

Json document() {
  return parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"x": {"tokens": ["a", "b", "a"], "features": {"type": "embedding", "dim": 5}}},
    "mechanism": {"type": "attention", "inputs": {"query": "x"}},
    "outputs": ["context", "inputs.x"]})");
}

Json ran(const Json& json) { return parse_json(run_document(json.dump())); }

}  // namespace

TEST_CASE("vectors of seeded words come back when they are asked for, and give the same results") {
  const Json result = ran(document());
  const Json& x = result["inputs"]["x"];
  CHECK(x["shape"] == Json({3, 5}));
  for (std::size_t c = 0; c < 5; ++c) CHECK(x["data"][c] == x["data"][10 + c]);
  CHECK(result["outputs"].size() == 1);
  Json given = document();
  given["inputs"]["x"] = {{"shape", x["shape"]}, {"data", x["data"]}};
  CHECK(ran(given)["outputs"] == result["outputs"]);
  Json unasked = document();
  unasked.erase("outputs");
  CHECK_FALSE(ran(unasked).contains("inputs"));
}

TEST_CASE("of several examples the vectors lead with the axis of examples") {
  Json json = document();
  json["examples"] = {json["inputs"], json["inputs"]};
  json["examples"][1]["x"]["tokens"] = {"c", "a", "b"};
  json.erase("inputs");
  const Json x = ran(json)["inputs"]["x"];
  CHECK(x["shape"] == Json({2, 3, 5}));
  for (std::size_t c = 0; c < 5; ++c) CHECK(x["data"][15 + 5 + c] == x["data"][c]);
}

TEST_CASE("an input that nobody reads is no result") {
  Json json = document();
  json["outputs"] = {"inputs.y"};
  CHECK_THROWS_WITH_AS((void)ran(json), doctest::Contains("inputs.y"), Error);
}

}  // namespace attend::testing::asked_inputs_test
