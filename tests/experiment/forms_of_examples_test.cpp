// SPDX-License-Identifier: Apache-2.0
// Examples that one program computes together agree in what it depends on: where sentences end, which tokens repeat.
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/learning/examples.h"
#include "experiment/learning/learner.h"
#include "experiment/reading/lesson.h"
#include "ops/error.h"
#include "tests/experiment/harness.h"

namespace attend::testing::forms_of_examples_test {
namespace {

using Tokens = std::vector<std::string>;

Json document(const Json& mechanism, const std::vector<Tokens>& examples) {
  Json json{{"schema", "attention-playground/1"}, {"seed", 3}, {"mechanism", mechanism}};
  for (const Tokens& tokens : examples) {
    const Json x{{"tokens", tokens}, {"features", {{"type", "embedding"}, {"dim", 4}}}};
    json["examples"].push_back({{"x", x}});
  }
  return json;
}

std::string path_of(const Json& json) {
  try {
    (void)run_json(json);
  } catch (const Error& error) {
    return error.path;
  }
  return "no error";
}

const Tokens early{"a", ".", "b", "c", "d", "."}, late{"a", "b", "c", ".", "d", "."},
    other{"e", ".", "f", "g", "h", "."};

}  // namespace

TEST_CASE("sentences of examples end at the same tokens, or spans are given") {
  for (const char* type : {"hierarchical", "hierarchical-3tier"}) {
    CAPTURE(type);
    CHECK(path_of(document({{"type", type}}, {early, late})) == "/examples/1/x");
    CHECK(path_of(document({{"type", type}, {"spans", {{0, 3}, {3, 6}}}}, {early, late})) ==
          "no error");
    const Array both = run_json(document({{"type", type}}, {early, other})).outputs.at("context");
    const Array alone = run_json(document({{"type", type}}, {other})).outputs.at("context");
    CHECK(distance(part(both, 1), part(alone, 0)) < tolerance);
  }
}

TEST_CASE("tokens of examples repeat at the same positions where their weights are added up") {
  const Json mechanism{{"type", "attention"},
                       {"query", "self-attention"},
                       {"output", {{"type", "weights-as-output"}, {"sum", true}}}};
  CHECK(path_of(document(mechanism, {early, late})) == "/examples/1/x");
  const Array both = run_json(document(mechanism, {early, other})).outputs.at("output");
  const Array alone = run_json(document(mechanism, {other})).outputs.at("output");
  CHECK(distance(part(both, 1), part(alone, 0)) < tolerance);
}

TEST_CASE("words of later examples that a vocabulary lacks are named in a warning") {
  const Ran ran = run_json(document({{"type", "fm-embedding"}, {"dim", 4}}, {early, other}));
  REQUIRE(ran.warnings.size() == 1);
  CHECK(ran.warnings[0].path == "/examples/1/x");
  CHECK(ran.warnings[0].message.find("\"e\", \"f\", \"g\", \"h\"") != std::string::npos);
}

TEST_CASE("a training computes each example with its own sentences") {
  const Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 1, "inputs": {},
    "model": [
      {"name": "words", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
      {"name": "text", "type": "hierarchical", "inputs": {"x": "words"}},
      {"name": "class", "type": "om-softmax", "inputs": {"x": "text"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "class.logits", "target": "target"}}],
    "training": {"task": {"type": "task-opinions", "fewest": 3, "most": 3}, "batch": 8}})");
  Learner learner(json);
  constexpr std::size_t count = 60;
  double alone = 0;
  const auto add = [&](const std::string& line) {
    Json one = with_task(json);
    one.erase("training");
    one["outputs"] = {"loss"};
    const Json example = parse_json(line);
    for (const auto& [name, input] : example["inputs"].items())
      one["inputs"][name] = {{"tokens", input["tokens"]}};
    alone += run_json(one).outputs.at("loss").data.at(0) / count;
  };
  ExampleOptions options;
  options.count = count;
  options.held_out = true;
  options.line = add;
  write_examples(json.dump(), options);
  CHECK(learner.measure(count).loss == doctest::Approx(alone).epsilon(1e-5));
  for (int k = 0; k < 3; ++k) CHECK(std::isfinite(learner.step().loss));
}

}  // namespace attend::testing::forms_of_examples_test
