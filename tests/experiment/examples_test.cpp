// SPDX-License-Identifier: Apache-2.0
// Documents with a batch of examples, drawn noise, large parameters, and too much work.
#include <doctest/doctest.h>
#include <set>

#include "experiment/recording/draw.h"
#include "experiment/running/packed.h"
#include "experiment/service.h"
#include "ops/error.h"
#include "tests/experiment/harness.h"

namespace attend::testing::examples_test {
namespace {

Json self_attention() {
  return Json::parse(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"x": {"matrix": [[1, 0, 2], [0, 1, 1]]}},
    "mechanism": {"type": "attention", "query": "self-attention"},
    "gradient": {"of": "context"}})");
}

Json batch() {
  Json document = self_attention();
  document.erase("inputs");
  document["examples"] = Json::parse(R"([{"x": {"matrix": [[1, 0, 2], [0, 1, 1]]}},
    {"x": {"matrix": [[3, 1, 0], [1, -1, 2]]}}, {"x": {"matrix": [[0, 0, 1], [2, 1, 1]]}}])");
  return document;
}

std::string path_of_error(const Json& document) {
  try {
    (void)run_json(document);
  } catch (const Error& error) {
    return error.path;
  }
  return "none";
}

TEST_CASE("a document with examples gives what its examples give one by one") {
  const Ran together = run_json(batch());
  for (const char* name : {"scores", "weights", "context"}) {
    CAPTURE(name);
    CHECK(together.outputs.at(name).shape.front() == 3);
  }
  Array sum;
  for (std::size_t i = 0; i < 3; ++i) {
    Json one = self_attention();
    one["inputs"] = batch()["examples"][i];
    const Ran alone = run_json(one);
    for (const auto& [name, array] : alone.outputs) {
      CAPTURE(name);
      CHECK(distance(part(together.outputs.at(name), i), array) < tolerance);
    }
    CHECK(distance(part(together.gradients.at("inputs.x"), i), alone.gradients.at("inputs.x")) <
          tolerance);
    const Array& slope = alone.gradients.at("query.W_Q");
    if (i == 0) sum = Array(slope.shape);
    for (std::size_t k = 0; k < sum.data.size(); ++k) sum.data[k] += slope.data[k];
  }
  CHECK(distance(together.gradients.at("query.W_Q"), sum) < tolerance);
  const Json directory = Json::parse(run_packed(batch().dump()).directory);
  for (const Json& tensor : directory["tensors"]) {
    if (tensor["group"] == "outputs") CHECK(tensor["axes"][0] == "batch");
  }
}

TEST_CASE("exported code is that of the first example, and says so") {
  for (const char* format : {"pytorch", "numpy", "latex"}) {
    CHECK(export_document(batch().dump(), format).find("The first of 3 examples") !=
          std::string::npos);
    CHECK(export_document(self_attention().dump(), format).find("The first of") ==
          std::string::npos);
  }
}

TEST_CASE("each example is read with words of its own") {
  Json document = parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {},
    "model": [{"name": "words", "type": "fm-embedding", "inputs": {"x": "text"}, "dim": 4,
               "vocabulary": ["<start>", "<end>", "<unknown>", "a", "b", "c"]}]})");
  const std::vector<Json> texts{{{"tokens", {"a", "b"}}}, {{"tokens", {"c", "a"}}}};
  document["examples"] = {{{"text", texts[0]}}, {{"text", texts[1]}}};
  const Array together = run_json(document).outputs.at("words.output");
  document.erase("examples");
  for (std::size_t i = 0; i < texts.size(); ++i) {
    document["inputs"]["text"] = texts[i];
    CHECK(distance(part(together, i), run_json(document).outputs.at("words.output")) < tolerance);
  }
}

TEST_CASE("examples of other shapes or names, and none at all, are told with their path") {
  Json document = batch();
  document["examples"][1]["x"] = Json::parse(R"({"matrix": [[1, 2], [3, 4]]})");
  CHECK(path_of_error(document) == "/examples/1/x");
  document["examples"][1] = Json::object();
  CHECK(path_of_error(document) == "/examples/1");
  document["examples"] = Json::array();
  CHECK(path_of_error(document) == "/examples");
}

TEST_CASE("noise differs by step and example, and step 0 of example 0 is what a document draws") {
  const auto drawn = [](Distribution distribution, const DrawKey& key) {
    std::vector<real> numbers(8);
    draw({"alignment.u", distribution, {8}}, key, numbers);
    return numbers;
  };
  using D = Distribution;
  for (const D noise : {D::uniform, D::normal, D::gumbel, D::permutation}) {
    std::set<std::vector<real>> different;
    for (const DrawKey& key : {DrawKey{1}, {1, 1}, {1, 0, 1}, {1, 1, 1}, {2}})
      different.insert(drawn(noise, key));
    CHECK(different.size() == 5);
    CHECK(drawn(noise, {1, 0, 0}) == drawn(noise, {1}));
    CHECK(origin_of(noise) == Origin::noise);
  }
  CHECK(drawn(D::weight, {1, 1, 1}) == drawn(D::weight, {1}));
  for (const D distribution : {D::weight, D::zero, D::one})
    CHECK(origin_of(distribution) == Origin::initialiser);
  CHECK(origin_of(D::distances) == Origin::constant);
}

TEST_CASE("each example has noise of its own") {
  Json document = batch();
  document["mechanism"]["alignment"] = "hard-sample";
  document["mechanism"]["query"] = "query-basic";
  document["mechanism"]["inputs"] = {{"query", "x"}};
  document.erase("gradient");
  const Ran ran = run_json(document);
  const Array& u = ran.parameters.at("alignment.u");
  REQUIRE(u.shape == Shape{3, 1, 2});
  CHECK(distance(part(u, 0), part(u, 1)) > 1e-3);
}

TEST_CASE("a large drawn parameter comes back only when it is asked for") {
  Json document = self_attention();
  document["inputs"]["x"] = {{"shape", {2, 300}}, {"data", std::vector<double>(600, .1)}};
  document.erase("gradient");
  const Ran without = run_json(document);
  CHECK(!without.parameters.contains("query.W_Q"));
  CHECK(without.warnings.size() >= 1);
  document["outputs"] = {"context", "parameters.query.W_Q"};
  const Ran with = run_json(document);
  CHECK(with.parameters.at("query.W_Q").data.size() == 300 * 300);
  CHECK(!with.parameters.contains("key.W_K"));
  CHECK(with.outputs.size() == 1);
  document["outputs"] = {"parameters.none"};
  CHECK(path_of_error(document) == "/outputs/0");
}

TEST_CASE("a document that would compute for minutes is refused before it starts") {
  Json document = Json::parse(R"({"schema": "attention-playground/1", "inputs": {},
    "mechanism": {"type": "attention", "alignment": {"type": "sinkhorn-normalise",
    "iterations": 5000}}, "outputs": ["context"]})");
  document["inputs"]["query"] = {{"shape", {4000, 2}}, {"data", std::vector<double>(8000, .1)}};
  CHECK_THROWS_WITH_AS((void)run_json(document), doctest::Contains("seconds"), Error);
  CHECK(path_of_error(document) == "/mechanism");
}

}  // namespace
}  // namespace attend::testing::examples_test
