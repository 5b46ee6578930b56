// SPDX-License-Identifier: Apache-2.0
// Errors and warnings that only the numbers bring: they name the module that they come from, at a path that the
// document has.
#include <doctest/doctest.h>
#include <fstream>
#include <iterator>
#include <string>

#include "experiment/service.h"
#include "tests/checkout.h"
#include "tests/experiment/harness.h"

namespace attend::testing::blame_test {
namespace {

std::string refusal(const Json& document) {
  try {
    (void)run_json(document);
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
  return "nothing was refused";
}

// An attention, and behind it a core whose two landmarks are one token: their kernel has no inverse.
Json attention_then_skyformer() {
  return Json::parse(R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"x": {"matrix": [[1, 0], [0, 1], [1, 1]]}},
    "model": [
      {"name": "first", "type": "attention", "query": "self-attention", "inputs": {"x": "x"}},
      {"name": "second", "type": "skyformer", "count": 2, "eps": 0, "iterations": 0,
       "inputs": {"query": "first", "key": "first", "value": "first"}}],
    "parameters": {"second.landmarks": [1, 1]}})");
}

bool has_warning(const Json& result, const std::string& path, const std::string& says) {
  for (const Json& warning : result["warnings"]) {
    const std::string message = warning["message"];
    if (warning["path"] == path && message.find(says) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("a refusal at evaluation names the module whose node refused") {
  const std::string alone = refusal(attention_then_skyformer());
  CHECK_MESSAGE(alone.starts_with("/model/1: \"attention\": "), alone);
  CHECK(alone.find("singular") != std::string::npos);
  // A batch and its gradients are other graphs, made from the same recording.
  Json batch = attention_then_skyformer();
  batch["examples"] = Json::parse(R"([{"x": {"matrix": [[1, 0], [0, 1], [1, 1]]}}])");
  batch["gradient"] = {{"of", "second.context"}};
  const std::string many = refusal(batch);
  CHECK_MESSAGE(many.starts_with("/model/1: \"attention\": "), many);
}

TEST_CASE("a cell that cannot be computed names the module, too") {
  try {
    (void)explain_document(attention_then_skyformer().dump(), "second.context", "[0,0]");
    FAIL("nothing was refused");
  } catch (const Error& error) {
    CHECK_MESSAGE(error.path == "/model/1", error.path);
  }
}

#ifndef ATTEND_DOUBLE
TEST_CASE("where a position goes wrong, the number that was too large is named") {
  std::ifstream file(in_checkout("/tests/experiment/broken/index-of-large-numbers.json"));
  Json document = Json::parse(std::string(std::istreambuf_iterator<char>(file), {}));
  for (const char* alignment : {"sparsemax", "softmax"}) {
    document["mechanism"]["alignment"] = alignment;
    CHECK(
        refusal(document) ==
        "/mechanism: the numbers become too large: scores[0 0] is not finite; use smaller inputs or parameters");
  }
  // Where nobody asked for the scores, they are not there to be named.
  document["mechanism"]["alignment"] = "sparsemax";
  document["outputs"] = {"context"};
  const std::string found = refusal(document);
  CHECK_MESSAGE(found.find("the numbers become too large") != std::string::npos, found);
  CHECK_MESSAGE(found.find("index -1") == std::string::npos, found);
}

TEST_CASE("a number of a model that is not finite is told at its module") {
  Json document = Json::parse(R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"x": {"matrix": [[1e15, 2e15]]}},
    "model": [
      {"name": "a", "type": "attention", "query": "self-attention", "inputs": {"x": "x"}},
      {"name": "b", "type": "attention", "query": "self-attention", "score": "dot", "inputs": {"x": "x"}}],
    "parameters": {"a.query.W_Q": [[0, 0], [0, 0]], "b.query.W_Q": [[1e9, 0], [0, 1e9]],
                   "b.key.W_K": [[1, 0], [0, 1]]}})");
  const std::string found = refusal(document);
  CHECK_MESSAGE(found.starts_with("/model/1: the numbers become too large: b.scores"), found);
}
#endif

TEST_CASE("rows that attend to nothing, and work without end, are told at the module") {
  const Json document = Json::parse(R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"x": {"matrix": [[1, 0], [0, 1]]}},
    "model": [
      {"name": "a", "type": "attention", "query": "self-attention", "inputs": {"x": "x"}},
      {"name": "b", "type": "attention", "query": "self-attention", "inputs": {"x": "a"},
       "mask": "mask-directional-fw"}]})");
  const Json result = Json::parse(run_document(document.dump()));
  CHECK_MESSAGE(has_warning(result, "/model/1", "attends to no key"), result["warnings"].dump());

  const Json endless = Json::parse(R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"x": {"shape": [4000, 2], "data": []}}, "outputs": ["b.context"],
    "model": [
      {"name": "a", "type": "attention", "query": "self-attention", "inputs": {"x": "x"}},
      {"name": "b", "type": "attention", "query": "self-attention", "inputs": {"x": "a"},
       "alignment": {"type": "sinkhorn-normalise", "iterations": 5000}}]})");
  Json long_one = endless;
  long_one["inputs"]["x"]["data"] = std::vector<double>(8000, .1);
  const std::string found = refusal(long_one);
  CHECK_MESSAGE(
      found.starts_with("/model/1: \"attention\": this experiment would compute for about"), found);
}

TEST_CASE("the parameters that there are, are listed by name") {
  Json document = Json::parse(R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"x": {"matrix": [[1, 0], [0, 1]]}},
    "mechanism": {"type": "attention", "query": "self-attention", "score": "additive"},
    "parameters": {"nothing": 1}})");
  const std::string found = refusal(document);
  CHECK_MESSAGE(
      found.ends_with("it has key.W_K, query.W_Q, score.W1, score.W2, score.b, score.w, value.W_V"),
      found);
}

}  // namespace attend::testing::blame_test
