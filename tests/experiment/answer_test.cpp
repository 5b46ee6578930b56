// SPDX-License-Identifier: Apache-2.0
// What a trained document writes by itself.
#include "experiment/learning/answer.h"

#include <doctest/doctest.h>
#include <fstream>
#include <iterator>

#include "experiment/files/tensor_file.h"
#include "experiment/service.h"
#include "tests/checkout.h"

namespace attend::testing::answer_test {
namespace {

std::string read(const std::string& name) {
  std::ifstream file(in_checkout("/examples/trained/" + name), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Json translator() {
  give_parameters("translate.safetensors", read("translate.safetensors"));
  return parse_json(read("translated.json"));
}

Json written(const Json& document) { return parse_json(written_text(document.dump())); }

}  // namespace

TEST_CASE("a translator writes word by word, whatever stands in the place of its answer") {
  Json document = translator();
  document["inputs"]["target"]["tokens"] = {"chat"};
  Json said = written(document);
  CHECK(said["task"]["id"] == "task-translate");
  CHECK(said["task"]["right"] == said["tokens"]);
  said.erase("task");
  // The decoder's state, one vector, is all that a word hands to the next.
  CHECK(said["state"]["rows"] == 4);
  CHECK(said["state"]["tensors"].size() == 1);
  said.erase("state");
  CHECK(said ==
        R"({"input": "target", "tokens": ["je", "t'", "aime", "<end>"], "ended": true})"_json);
  document["inputs"]["source"]["tokens"] = {"she", "does", "not", "love", "him"};
  const Json answer = written(document);
  CHECK(answer["tokens"] == Json({"elle", "ne", "l'", "aime", "pas", "<end>"}));
}

TEST_CASE("what is written is the likeliest word of each row when the document runs on it") {
  Json document = translator();
  document["inputs"]["source"]["tokens"] = {"they", "hear", "the", "girl"};
  document["inputs"]["target"]["tokens"] = written(document)["tokens"];
  document["outputs"] = {"decoder.tokens"};
  const Json result = parse_json(run_document(document.dump()));
  const Json& vocabulary = document["model"].back()["vocabulary"];
  std::size_t t = 0;
  for (const Json& word : document["inputs"]["target"]["tokens"])
    CHECK(vocabulary[result["outputs"]["decoder.tokens"]["data"][t++].get<std::size_t>()] == word);
}

TEST_CASE("what is written comes with what the task knows of the words that were read") {
  Json document = translator();
  const auto task_of = [&](const Json& source) {
    document["inputs"]["source"]["tokens"] = source;
    return written(document)["task"];
  };
  Json known = task_of({"she", "does", "not", "love", "him"});
  CHECK(known["id"] == "task-translate");
  CHECK(known["right"] == Json({"elle", "ne", "l'", "aime", "pas", "<end>"}));
  CHECK(known["forms"].size() == 4);
  // Words that the model knows, in sentences that its grammar does not make, and a word that it does not know.
  for (const Json& source :
       {R"(["she", "hears", "the", "black", "house"])"_json,
        R"(["he", "helps", "the", "cat"])"_json, R"(["I", "hear", "the", "cat"])"_json,
        R"(["a", "girl", "loves", "the", "book"])"_json, R"(["they", "see", "Paris"])"_json})
    CHECK(task_of(source)["right"].is_null());
  // A text of the reader's own does not say what else is right, and a document that was never taught knows no task.
  document["training"]["task"] = {{"type", "task-pairs"},
                                  {"text", "I\tje\nyou\ttu"},
                                  {"inputs", {{"source", "source"}, {"target", "target"}}}};
  CHECK(!written(document).contains("task"));
  document.erase("training");
  CHECK(!written(document).contains("task"));
}

TEST_CASE("a document that answers nothing in words, or whose words change, says so") {
  const auto plain = R"({"schema": "attention-playground/1", "inputs": {"x": {"tokens": ["a", "b"],
      "features": {"type": "one-hot", "dim": 2}}}, "mechanism": {"query": "self-attention"}})";
  CHECK_THROWS_WITH_AS((void)written_text(plain), doctest::Contains("cross-entropy"), Error);
  CHECK_THROWS_WITH_AS((void)written_text(read("translate.json")), doctest::Contains("vocabulary"),
                       Error);
}

TEST_CASE("text that cannot be written row by row says which choice prevents it") {
  const Json document = parse_json(R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"target": {"tokens": ["b", "a", "<end>"]}}, "model": [
      {"name": "emb", "type": "fm-embedding", "inputs": {"x": "target"}, "dim": 4, "before": true,
       "vocabulary": ["<start>", "<end>", "<unknown>", "a", "b"]},
      {"name": "att", "type": "attention", "query": "self-attention", "mask": ["mask-causal"],
       "score": "key-linear", "inputs": {"x": "emb"}},
      {"name": "pred", "type": "om-softmax", "classes": 5, "inputs": {"x": "att"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "pred.logits", "target": "target"},
       "vocabulary": ["<start>", "<end>", "<unknown>", "a", "b"]}]})");
  CHECK(written(document)["whole"]["path"] == "/model/1/score");
}

}  // namespace attend::testing::answer_test
