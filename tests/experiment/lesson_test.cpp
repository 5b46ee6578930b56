// SPDX-License-Identifier: Apache-2.0
// What a document that learns may hold in the inputs that its task fills.
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <string>

#include "experiment/learning/learner.h"
#include "tests/checkout.h"

namespace attend::testing::lesson_test {
namespace {

Json without_inputs() {
  std::ifstream file(in_checkout("/tests/experiment/broken/train-without-inputs.json"));
  REQUIRE(file.is_open());
  return parse_json(std::string(std::istreambuf_iterator<char>(file), {}));
}

Json with_inputs(const char* inputs) {
  Json json = without_inputs();
  json["inputs"] = Json::parse(inputs);
  return json;
}

Json glyphs(const char* image) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "model": [
      {"name": "parts", "type": "fm-cnn2d", "inputs": {"x": "image"}, "size": 3, "filters": 4, "pool": 4},
      {"name": "attention", "type": "attention", "query": "query-learned",
       "inputs": {"key": "parts.rows", "value": "parts.rows"}},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "attention"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}}],
    "training": {"task": {"type": "task-glyphs", "side": 8, "pieces": 1}, "batch": 2, "steps": 1}})");
  if (image != nullptr) json["inputs"] = {{"image", Json::parse(image)}};
  return json;
}

std::string refusal(Json document) {
  try {
    Learner learner(std::move(document));
    (void)learner.pinned();
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("a document without inputs learns as one with none in them does") {
  Learner without(without_inputs()), empty(with_inputs("{}"));
  for (int step = 0; step < 2; ++step) CHECK(without.step().loss == empty.step().loss);
  CHECK(without.pinned().source == empty.pinned().source);
  CHECK(without.pinned().source.size() == 5);
  CHECK(refusal(glyphs(nullptr)) == "nothing was refused");
}

TEST_CASE("what a task is to fill is checked where it stands") {
  for (const auto& [inputs, says] : {
           std::pair("5", "/inputs: expected an object of named inputs, found 5"),
           {"[]", "/inputs: expected an object of named inputs"},
           {R"({"source": {"tokens": [1, 2]}})", "/inputs/source/tokens/0: expected a string"},
           {R"({"source": {"tokens": {"a": 1}}})",
            "/inputs/source/tokens: expected a list of strings"},
           {R"({"target": {"tokens": [["a"]]}})", "/inputs/target/tokens/0: expected a string"},
           {R"({"source": {"tokens": null}})", "/inputs/source/tokens: expected a list"},
           {R"({"source": 7})", "/inputs/source: task-reverse fills this input with words"},
           {R"({"source": {"matrix": [[1]]}})", "/inputs/source: task-reverse fills this input"},
       }) {
    CAPTURE(inputs);
    const std::string found = refusal(with_inputs(inputs));
    CHECK_MESSAGE(found.starts_with(says), found);
  }
  CHECK(refusal(with_inputs(R"({"source": {"tokens": []}})")) == "nothing was refused");
}

TEST_CASE("an image that is pinned holds numbers") {
  const std::string words = refusal(glyphs(R"({"shape": [1, 2], "data": ["a", "b"]})"));
  CHECK_MESSAGE(words.starts_with("/inputs/image/data/0: expected a number"), words);
  const std::string flat = refusal(glyphs(R"({"shape": 3, "data": [1, 2, 3]})"));
  CHECK_MESSAGE(flat.starts_with("/inputs/image/shape: expected a list"), flat);
  // Of another size than the task's it is no example of it, and a held-out one is pinned.
  CHECK(refusal(glyphs(R"({"shape": [1, 2], "data": [1, 2]})")) == "nothing was refused");
}

}  // namespace attend::testing::lesson_test
