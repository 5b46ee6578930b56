// SPDX-License-Identifier: Apache-2.0
// Documents that are wrong: each gets the path of the field and a sentence, and the next run works.
#include <doctest/doctest.h>
#include <string>

#include "experiment/running/packed.h"
#include "experiment/service.h"
#include "experiment/text/json_parse.h"
#include "tests/experiment/harness.h"

namespace attend::testing::errors_test {
namespace {

struct Case {
  const char* path;
  const char* says;  // part of the message
  std::string text;
};

// A good document with one member replaced (or added) by merge patch.
std::string patched(const char* patch) {
  Json document = Json::parse(R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"query": {"matrix": [[1, 0, 2], [0, 1, 0]]}, "key": {"matrix": [[1, 1, 0], [0, 2, 1]]}},
    "mechanism": {"type": "attention", "score": {"type": "scaled-dot"}}})");
  document.merge_patch(Json::parse(patch));
  return document.dump();
}

std::string nested(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }

const std::vector<Case>& cases() {
  static const std::vector<Case> list{
      {"", "not JSON", "hello"},
      {"", "not JSON", ""},
      {"/inputs/x/matrix/0/1", "not JSON", R"({"inputs": {"x": {"matrix": [[1, NaN]]}}})"},
      {"", "an object", "[1, 2]"},
      {"/schema", "attention-playground/1", R"({"seed": 1})"},
      {"/schema", "attention-playground/9", patched(R"({"schema": "attention-playground/9"})")},
      {"/surprise", "unknown field", patched(R"({"surprise": 1})")},
      {"/seed", "whole number", patched(R"({"seed": -1})")},
      {"/seed", "whole number", patched(R"({"seed": 1.5})")},
      {"/inputs/key/matrix/1", "as its neighbours",
       patched(R"({"inputs": {"key": {"matrix": [[1, 2], [3]]}}})")},
      {"/inputs/key/matrix/0/1", "a number",
       patched(R"({"inputs": {"key": {"matrix": [[1, "NaN"]]}}})")},
      {"/inputs/key/matrix/0/0", "a number",
       patched(R"({"inputs": {"key": {"matrix": [[true]]}}})")},
      {"/inputs/key/matrix", "at least one", patched(R"({"inputs": {"key": {"matrix": []}}})")},
      {"/inputs/key/tokens", "at least one token",
       patched(R"({"inputs": {"key": {"matrix": null, "tokens": []}}})")},
      {"/inputs/key/tokens/0", "a string",
       patched(R"({"inputs": {"key": {"matrix": null, "tokens": [3]}}})")},
      {"/inputs/key/features/type", "one-hot",
       patched(
           R"({"inputs": {"key": {"matrix": null, "tokens": ["a"], "features": {"type": "bert"}}}})")},
      {"/inputs/key/features/dim", "whole number",
       patched(
           R"({"inputs": {"key": {"matrix": null, "tokens": ["a"], "features": {"dim": 0}}}})")},
      {"/inputs/key/labels", "2 labels", patched(R"({"inputs": {"key": {"labels": ["one"]}}})")},
      {"/inputs/key/data", "needs 6 numbers",
       patched(R"({"inputs": {"key": {"matrix": null, "shape": [2, 3], "data": [1]}}})")},
      {"/inputs", "\"query\"", patched(R"({"inputs": {"query": null}})")},
      {"/mechanism", "nothing", patched(R"({"mechanism": null})")},
      {"/mechanism/type", "unknown structure \"transformer\"",
       patched(R"({"mechanism": {"type": "transformer"}})")},
      {"/mechanism/score/type", "unknown score \"x\"",
       patched(R"({"mechanism": {"score": {"type": "x"}}})")},
      {"/mechanism/score", "unknown score \"x\"", patched(R"({"mechanism": {"score": "x"}})")},
      {"/mechanism/score/hidden", "unknown field",
       patched(R"({"mechanism": {"score": {"hidden": 3}}})")},
      {"/mechanism/alignment/temperature", "above 0",
       patched(
           R"({"mechanism": {"alignment": {"type": "softmax-temperature", "temperature": 0}}})")},
      {"/mechanism/alignment/temperature", "a number",
       patched(
           R"({"mechanism": {"alignment": {"type": "softmax-temperature", "temperature": "hot"}}})")},
      {"/mechanism/alignment/D", "whole number",
       patched(R"({"mechanism": {"alignment": {"type": "local-monotonic", "D": 1.5}}})")},
      {"/mechanism/score/act", "one of",
       patched(R"({"mechanism": {"score": {"type": "additive", "act": "swish"}}})")},
      {"/mechanism/heads/count", "a whole number of at least 1; found 0",
       patched(R"({"mechanism": {"heads": {"type": "multi-head", "count": 0}}})")},
      {"/mechanism/heads/count", "at most 1e+09; found 1e+10",
       patched(R"({"mechanism": {"heads": {"type": "multi-head", "count": 10000000000}}})")},
      {"/mechanism/mask/0/allowed", "expected shape [2 2]",
       patched(R"({"mechanism": {"mask": [{"type": "mask-explicit", "allowed": [[1, 0, 1]]}]}})")},
      {"/mechanism/mask/0/allowed/0/1", "0 and 1",
       patched(R"({"mechanism": {"mask": [{"type": "mask-explicit", "allowed": [[1, 2]]}]}})")},
      {"/mechanism/mask/0/allowed", "required",
       patched(R"({"mechanism": {"mask": ["mask-explicit"]}})")},
      {"/mechanism/score", "cannot be combined with",
       patched(
           R"({"mechanism": {"score": {"type": "general"}, "position": "pos-relative-shaw"}})")},
      {"/mechanism/score", "cannot be combined with",
       patched(R"({"mechanism": {"dimensionality": "multi-dim"}})")},
      {"/mechanism/inputs/qurey", "no role \"qurey\"",
       patched(R"({"mechanism": {"inputs": {"qurey": "key"}}})")},
      {"/mechanism/inputs/query", "no input \"y\"",
       patched(R"({"mechanism": {"inputs": {"query": "y"}}})")},
      {"/mechanism/score", "equally wide", patched(R"({"inputs": {"key": {"matrix": [[1, 2]]}}})")},
      {"/parameters/score.W", "no parameter \"score.W\"",
       patched(R"({"parameters": {"score.W": [[1]]}})")},
      {"/parameters/score.W", "expected shape [dk dq] = [3 3], found [2 3]",
       patched(
           R"({"mechanism": {"score": {"type": "general"}}, "parameters": {"score.W": [[1, 2, 3], [4, 5, 6]]}})")},
      {"/parameters/score.w", "= [5], found [2]",
       patched(
           R"({"mechanism": {"score": {"type": "additive", "hidden": 5}}, "parameters": {"score.w": [1, 2]}})")},
      {"/inputs/value", "expected shape [n dv] = [2",
       patched(R"({"inputs": {"value": {"matrix": [[1, 2, 3]]}}})")},
      {"/inputs/value", "expected shape [n dv] = [1",
       patched(
           R"({"inputs": {"key": {"matrix": [[1, 2, 3]]}, "value": {"matrix": [[1], [2]]}}, "mechanism": {"type": "linear", "score": null}})")},
      {"/parameters/alignment.u", "[0, 1)",
       patched(
           R"({"mechanism": {"alignment": "hard-sample"}, "parameters": {"alignment.u": [[0.5, 1]]}})")},
      {"/parameters/structure.W_t", "no parameter",
       patched(
           R"({"mechanism": {"type": "multi-hop", "score": null}, "parameters": {"structure.W_t": [[1]]}})")},
      {"/inputs/key/features/dim", "16777216",
       patched(
           R"({"inputs": {"key": {"matrix": null, "tokens": ["a"], "features": {"dim": 1000000000}}}})")},
      {"/outputs/0", "no output \"attention\"", patched(R"({"outputs": ["attention"]})")},
      {"/gradient/of", "no output", patched(R"({"gradient": {"of": "loss"}})")},
      {"/mechanism/features", "structure.omega would have the shape [M p] = [1000000000 3]",
       patched(R"({"mechanism": {"type": "performer", "features": 1000000000, "score": null}})")},
      {"/mechanism/buckets", "[rounds p buckets/2] = [1 3 500000000]",
       patched(
           R"({"inputs": {"key": null}, "mechanism": {"type": "reformer", "buckets": 1000000000, "score": null}})")},
      {"/mechanism/core/features", "[h M p] = [4 1000000000 1]",
       patched(
           R"({"mechanism": {"core": {"type": "rfa", "features": 1000000000}, "heads": {"type": "multi-head", "count": 4}, "score": null}})")},
      {"/mechanism/score/hidden", "hidden is 1000000000: make it smaller",
       patched(R"({"mechanism": {"score": {"type": "additive", "hidden": 1000000000}}})")},
      {"/mechanism/count",
       "3 landmarks from 2 tokens cannot all differ; use at most 2, or iterations above 0",
       patched(
           R"({"inputs": {"key": null}, "mechanism": {"type": "soft", "iterations": 0, "score": null}})")},
      {"/mechanism", "one of its rows is a combination of the others",
       patched(
           R"({"mechanism": {"type": "skyformer", "iterations": 0, "eps": 0, "score": null}, "parameters": {"structure.landmarks": [1, 1]}})")},
      {"/gradient/outputs", "expected true or false",
       patched(R"({"gradient": {"outputs": "all"}})")},
      {"/gradient/cotangent", "expected shape [2 3]",
       patched(R"({"gradient": {"of": "context", "cotangent": [[1]]}})")},
      {"/mechanism/score", "found null",
       R"({"schema": "attention-playground/1", "inputs": {"query": {"matrix": [[1]]}}, "mechanism": {"score": null}})"},
      {"/mechanism/query", "found null",
       R"({"schema": "attention-playground/1", "inputs": {"query": {"matrix": [[1]]}}, "mechanism": {"query": null}})"},
      {"/mechanism/hop", "found null",
       R"({"schema": "attention-playground/1", "inputs": {"query": {"matrix": [[1]]}}, "mechanism": {"type": "multi-hop", "hop": null}})"},
      {"/inputs/key/features/type", "one-hot",
       patched(
           R"({"inputs": {"key": {"matrix": null, "tokens": ["a"], "features": {"type": 5}}}})")},
      {"/parameters/inputs.query", "no parameter",
       patched(R"({"parameters": {"inputs.query": [[1]]}})")},
      {"/inputs/__proto__", "not allowed",
       R"({"schema": "attention-playground/1", "inputs": {"__proto__": {"matrix": [[1]]}}})"},
      {"/seed", "appears twice", R"({"schema": "attention-playground/1", "seed": 1, "seed": 2})"},
      {"/inputs/query", "too large",
       patched(
           R"({"inputs": {"query": {"matrix": [[1e38, 1e38, 1e38]]}, "key": {"matrix": [[1e38, 1e38, 1e38]]}}})")},
      {"", "bytes", "\"" + std::string(10'000'000, 'a') + "\""}};
  return list;
}

}  // namespace

TEST_CASE("a wrong document names the field, what was expected and what was found") {
  for (const Case& wrong : cases()) {
    if (std::string(wrong.says) == "too large") continue;  // below, for float
    const std::string where = wrong.text.substr(0, 200);
    try {
      (void)run_document(wrong.text);
      FAIL_CHECK("no error for " << where);
    } catch (const Error& error) {
      CHECK_MESSAGE(error.path == wrong.path, where);
      CHECK_MESSAGE(std::string(error.what()).find(wrong.says) != std::string::npos,
                    where << " says: " << error.what());
    }
    CHECK_NOTHROW((void)run_document(patched("{}")));  // the next call works
  }
}

TEST_CASE("a document too long to be read says what in it is so long") {
  const auto text = [](const std::string& inside) { return R"({"schema": "x", )" + inside + "}"; };
  std::string numbers = "[0";
  for (std::size_t i = 0; i < max_document_bytes / 2; ++i) numbers += ",0";
  numbers += "]";
  const std::string words = '"' + std::string(max_document_bytes, 'a') + '"';
  const std::vector<std::pair<std::string, std::string>> list{
      {"/inputs/an~1image",
       R"("inputs": {"x": {"matrix": [[1]]}, "an/image": {"data": )" + numbers + "}}"},
      {"/model/1", R"("model": [{"a": 1}, {"b": )" + numbers + R"(}, 3])"},
      {"/title", "\"title\": " + words},
      {"/parameters/score.W", R"("parameters": {"score.W": )" + numbers + "}"},
      {"/inputs/a", R"("inputs": {"a": {"b]}": "\"}", "c": )" + words + "}}"},
      {"/parameters", "\"parameters\": {" + std::string(max_document_bytes, ' ') + "}"},
      {"/inputs", R"("inputs": {")" + std::string(100, 'n') + "\": " + numbers + "}"},
      {"/inputs", "\"inputs\": {\"\xff\": " + numbers + "}"}};
  for (const auto& [path, inside] : list) {
    try {
      (void)run_document(text(inside));
      FAIL_CHECK("no error for " << path);
    } catch (const Error& error) {
      CHECK(error.path == path);
      CHECK(std::string(error.what()).find("of which") != std::string::npos);
    }
  }
  // What is no document has no such place, and is refused all the same.
  for (const std::string& junk : {numbers, std::string(max_document_bytes + 1, '['),
                                  std::string(max_document_bytes + 1, '}'), words, words + "\\"}) {
    CHECK_THROWS_WITH_AS((void)run_document(junk), doctest::Contains("bytes"), Error);
  }
}

TEST_CASE("lists nested without end are refused, not followed") {
  CHECK_THROWS_AS((void)run_document(nested(100'000)), Error);
}

TEST_CASE("more memory than the limit is refused before anything is computed") {
  Json document = Json::parse(patched("{}"));
  for (const char* name : {"query", "key"}) {
    document["inputs"][name] = {{"shape", {60'000, 1}}, {"data", std::vector<double>(60'000, 0.5)}};
  }
  try {
    (void)run_document(document.dump());
    FAIL("60,000 x 60,000 scores were accepted");
  } catch (const Error& error) {
    CHECK(error.path == "/mechanism/score");
    CHECK(std::string(error.what()).find("elements") != std::string::npos);
  }
  document["inputs"]["query"] = {{"shape", {12'000, 1}},
                                 {"data", std::vector<double>(12'000, 0.5)}};
  document["inputs"]["key"] = document["inputs"]["query"];
  document["outputs"] = {"weights"};
  try {
    (void)run_document(document.dump());
    FAIL("12,000 x 12,000 weights were accepted");
  } catch (const Error& error) {
    CHECK(error.path == "/outputs");
    CHECK(std::string(error.what()).find("numbers") != std::string::npos);
  }
  // A small result whose rows depend on each other: its map is held as a whole.
  document["outputs"] = {"context"};
  document["mechanism"]["alignment"] = "ntm-addressing";
  try {
    (void)run_document(document.dump());
    FAIL("a context over 12,000 x 12,000 weights was accepted");
  } catch (const Error& error) {
    CHECK(error.path == "/inputs");
    CHECK(std::string(error.what()).find("MiB") != std::string::npos);
  }
}

#ifndef ATTEND_DOUBLE
TEST_CASE("numbers that overflow are an error, never a NaN in a result") {
  const std::string text = patched(
      R"({"inputs": {"query": {"matrix": [[1e38, 1e38, 1e38]]}, "key": {"matrix": [[1e38, 1e38, 1e38]]}}})");
  try {
    (void)run_document(text);
    FAIL("an overflow was accepted");
  } catch (const Error& error) {
    CHECK(std::string(error.what()).find("too large") != std::string::npos);
  }
}
#endif

TEST_CASE(
    "a thousand looks of a Perceiver are answered, and a gradient of too many steps is told at /gradient") {
  Json looks = Json::parse(R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"x": {"tokens": ["a", "b", "c"]}}, "outputs": ["context"],
    "mechanism": {"type": "perceiver", "repeats": 1000, "D": 4}})");
  CHECK(run_json(looks).outputs.at("context").shape == Shape{4, 4});
  looks["gradient"] = {{"of", "context"}};
  try {
    run_json(looks);
    FAIL("a gradient of too many operations was accepted");
  } catch (const Error& error) {
    CHECK(error.path == "/gradient");
    CHECK(std::string(error.what()).find("use fewer tokens, steps") != std::string::npos);
  }
}

TEST_CASE("the packed run names the field it refuses") {
  try {
    (void)run_packed("{}");
    FAIL("a document without a schema was accepted");
  } catch (const Error& error) {
    CHECK(error.path == "/schema");
  }
  CHECK(Json::parse(run_packed(patched("{}")).directory)["ok"] == true);
}

}  // namespace attend::testing::errors_test
