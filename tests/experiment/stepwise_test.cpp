// SPDX-License-Identifier: Apache-2.0
// Programs one row at a time: equal to the whole program, row by row, or refused with the module and the reason.
#include "experiment/learning/stepwise.h"

#include <cmath>
#include <doctest/doctest.h>
#include <optional>

#include "experiment/learning/kept.h"
#include "experiment/recording/row_count.h"
#include "experiment/service.h"
#include "ops/error.h"
#include "tests/experiment/harness.h"
#include "tests/experiment/stepwise.h"

namespace attend::testing::stepwise_test {
namespace {

Json attention(const char* mechanism) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"x": {"tokens": ["a", "b", "c", "d", "e", "f", "g"], "features": {"type": "embedding", "dim": 6}}}})");
  json["mechanism"] = parse_json(mechanism);
  return json;
}

Error refused(const Json& document, const std::string& over = "") {
  try {
    (void)stepped(document, over);
  } catch (const Error& error) {
    return error;
  }
  return Error("none", "");
}

Compiled of_matrix(const char* mechanism, std::size_t rows = 7) {
  return compile_row_by_row(read_document(document_of_rows(mechanism, rows)));
}

// The rows of the context from the last of the first ones on. These are taken at once, or step by step.
std::vector<double> rows_behind(const Compiled& compiled, std::size_t first, bool at_once,
                                const WithRows& shorter = {}) {
  const std::vector<double>& numbers = compiled.document().inputs.at("x").tensor.data;
  StepRunner runner(stepwise_of(compiled, "x", {"context"}));
  const std::vector<real> taken(numbers.begin(), numbers.begin() + static_cast<long>(6 * first));
  if (at_once) {
    CHECK(take_at_once(compiled, runner, taken, shorter));
    CHECK(runner.steps_taken() == first);
  }
  std::vector<double> rows;
  const auto add_row = [&] {
    const Numbers row = runner.result(0);
    if (runner.steps_taken() >= first) rows.insert(rows.end(), row.begin(), row.end());
  };
  if (at_once) add_row();
  while (6 * runner.steps_taken() < numbers.size()) {
    const std::size_t t = runner.steps_taken();
    const std::span<real> room = runner.row(0);
    for (std::size_t c = 0; c < 6; ++c) room[c] = static_cast<real>(numbers[6 * t + c]);
    runner.step();
    add_row();
  }
  return rows;
}

void check_equal(Json document, const std::string& over = "") {
  const Json steps = stepped(document, over);
  CHECK(gap_of_steps(document, steps) <= exact_steps);
}

}  // namespace

TEST_CASE("causal mechanisms of every kind give row by row what they give as a whole") {
  for (
      const char* mechanism : {
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"]})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
               "heads": {"type": "multi-head", "count": 3}})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal", {"type": "mask-window", "window": 2}],
               "heads": {"type": "grouped-query", "count": 4, "groups": 2}, "position": "pos-rope"})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
               "position": {"type": "pos-rope", "scaling": "yarn", "factor": 4, "length": 16, "pairs": "neighbour"},
               "heads": {"type": "multi-head", "count": 2}, "qk": "qk-norm"})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"], "score": "additive",
               "position": ["pos-sinusoidal"], "output": "selfatt-residual"})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
               "alignment": {"type": "alpha-entmax", "alpha": 1.5}})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"], "alignment": "sparsemax"})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"], "alignment": "sigmoid"})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"], "score": "similarity-l2"})",
          R"({"type": "attention", "query": "self-attention", "core": {"type": "linear", "causal": true}})",
          R"({"type": "attention", "query": "self-attention", "core": {"type": "linear", "causal": true},
               "heads": {"type": "multi-head", "count": 2}, "position": "pos-rope"})",
          R"({"type": "attention", "query": "self-attention", "core": "gla", "heads": {"type": "multi-head", "count": 2}})",
          R"({"type": "attention", "query": "self-attention", "core": "fast-weight"})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"], "score": "scaled-dot",
               "position": {"type": "pos-path", "gates": "token"}, "heads": {"type": "multi-head", "count": 2}})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
               "position": {"type": "pos-forgetting", "gates": "token"}})",
          R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
               "heads": {"type": "talking-heads", "count": 2}})",
          R"({"type": "fm-rnn", "cell": "lstm", "hidden": 5, "inputs": {"x": "x"}})",
      }) {
    CAPTURE(mechanism);
    check_equal(attention(mechanism));
  }
}

TEST_CASE(
    "the state of softmax attention is its keys and values, of a linear core its matrix, of a cell its vector") {
  const auto state = [](const char* mechanism) { return stepped(attention(mechanism))["state"]; };
  // Two tensors [7 6], in four heads that share the keys of two: [2 7 6 / 4 rounded up].
  const Json softmax =
      state(R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"]})");
  CHECK(softmax["rows"] == 7);
  CHECK(softmax["numbers"] == 2 * 7 * 6);
  CHECK(softmax["bytes"] == 2 * 7 * 6 * sizeof(real));
  for (const Json& tensor : softmax["tensors"]) CHECK(tensor["grows"] == true);
  const Json grouped =
      state(R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
      "heads": {"type": "grouped-query", "count": 4, "groups": 2}})");
  const Json many =
      state(R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
      "heads": {"type": "multi-head", "count": 4}})");
  CHECK(2 * grouped["numbers"].get<int>() == many["numbers"].get<int>());
  // The matrix [6 6] and the sum of the features [6].
  const Json linear = state(
      R"({"type": "attention", "query": "self-attention", "core": {"type": "linear", "causal": true}})");
  CHECK(linear["numbers"] == 6 * 6 + 6);
  for (const Json& tensor : linear["tensors"]) CHECK(tensor["grows"] == false);
  const Json lstm =
      state(R"({"type": "fm-rnn", "cell": "lstm", "hidden": 5, "inputs": {"x": "x"}})");
  CHECK(lstm["numbers"] == 2 * 5);
}

TEST_CASE("one row is the first of two") {
  for (
      const char* mechanism :
      {R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"]})",
       R"({"type": "attention", "query": "self-attention", "core": "gla", "heads": {"type": "grouped-query", "count": 4,
            "groups": 2}})"}) {
    CAPTURE(mechanism);
    Json document = attention(mechanism);
    document["inputs"]["x"]["tokens"] = {"a"};
    document["outputs"] = {"context"};
    check_equal(document);
    CHECK(stepped(document)["outputs"]["context"]["shape"] == Json{1, 6});
    document.erase("outputs");
    CHECK(parse_json(kept_text(document.dump(), ""))["numbers"].size() == 1);
  }
}

TEST_CASE("a number that the mechanism states from the count of rows is refused, and named") {
  Json document = attention(
      R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"], "alignment": "sigmoid-biased"})");
  CHECK(refused(document).path == "/parameters/alignment.b");
  document["parameters"]["alignment.b"] = {{"shape", Json::array()}, {"data", {-2}}};
  check_equal(document);
}

TEST_CASE("the first steps are taken at once by the whole program") {
  for (
      const char* mechanism :
      {R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
            "heads": {"type": "multi-head", "count": 3}})",
       R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal", {"type": "mask-window", "window": 2}],
            "heads": {"type": "grouped-query", "count": 4, "groups": 2}, "position": "pos-rope"})"}) {
    const Compiled compiled = of_matrix(mechanism);
    for (const std::size_t first : {std::size_t{1}, std::size_t{4}, std::size_t{6}}) {
      const std::vector<double> single = rows_behind(compiled, first, false);
      const std::vector<double> joint = rows_behind(compiled, first, true);
      REQUIRE(single.size() == joint.size());
      for (std::size_t i = 0; i < single.size(); ++i)
        CHECK(std::abs(single[i] - joint[i]) <= exact_steps * (1 + std::abs(single[i])));
    }
  }
}

TEST_CASE("the first steps are taken by a program of about as many rows, where there is one") {
  const char* const mechanism =
      R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
          "heads": {"type": "multi-head", "count": 2}, "position": "pos-rope"})";
  const Compiled whole = of_matrix(mechanism, 40);
  std::optional<Compiled> made;
  std::vector<std::size_t> asked;
  const auto shorter = [&](std::size_t rows) {
    asked.push_back(rows);
    made.emplace(of_matrix(mechanism, rows));
    return &*made;
  };
  for (const std::size_t first : {std::size_t{13}, std::size_t{16}, std::size_t{35}}) {
    const std::vector<double> single = rows_behind(whole, first, false);
    const std::vector<double> joint = rows_behind(whole, first, true, shorter);
    REQUIRE(single.size() == joint.size());
    for (std::size_t i = 0; i < single.size(); ++i)
      CHECK(std::abs(single[i] - joint[i]) <= exact_steps * (1 + std::abs(single[i])));
  }
  // 35 rows would save nothing.
  CHECK(asked == std::vector<std::size_t>{16, 16});
}

TEST_CASE("where something else than rows is kept no step is taken at once") {
  const Compiled compiled = of_matrix(R"({"type": "attention", "query": "self-attention",
                                          "core": {"type": "gated-deltanet"}})");
  StepRunner runner(stepwise_of(compiled, "x", {"context"}));
  CHECK_FALSE(take_at_once(compiled, runner, std::vector<real>(12, 1)));
  CHECK(runner.steps_taken() == 0);
}

TEST_CASE("a decoder of layers reads its rows one by one, and its memory as a whole") {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"source": {"tokens": ["a", "b", "c"]}, "target": {"tokens": ["x", "y", "x", "z", "<end>"]}},
    "model": [
      {"name": "read", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 8},
      {"name": "encoder", "type": "attention", "inputs": {"x": "read"}, "query": "self-attention",
       "heads": {"type": "multi-head", "count": 2}, "output": "selfatt-residual"},
      {"name": "written", "type": "fm-embedding", "inputs": {"x": "target"}, "dim": 8, "before": true},
      {"name": "decoder", "type": "attention", "inputs": {"x": "written"}, "query": "self-attention",
       "mask": ["mask-causal"], "heads": {"type": "multi-head", "count": 2}, "output": "selfatt-residual"},
      {"name": "look", "type": "attention", "heads": {"type": "multi-head", "count": 2},
       "inputs": {"query": "decoder", "key": "encoder", "value": "encoder"}},
      {"name": "say", "type": "om-ffn", "inputs": {"x": "look"}, "hidden": 12},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "say"}, "classes": 6},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}}]})");
  json["outputs"] = {"out.logits", "decoder.weights", "look.weights", "encoder.weights"};
  const Json steps = stepped(json);
  CHECK(steps["over"] == "target");
  CHECK(gap_of_steps(json, steps) <= exact_steps);
  // The encoder is no state: keys and values of the decoder's own rows are.
  CHECK(steps["state"]["numbers"] == 2 * 5 * 8);
  json["outputs"] = {"loss"};
  CHECK(refused(json).path == "/model/7");
}

TEST_CASE("a recurrent decoder is one step of itself") {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 5,
    "inputs": {"source": {"tokens": ["a", "b", "c"]}, "target": {"tokens": ["x", "y", "x", "<end>"]}},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 4},
      {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 3},
      {"name": "decoder", "type": "om-decoder", "hidden": 5, "dim": 4,
       "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"},
       "attention": {"score": {"type": "additive", "hidden": 4}}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}]})");
  json["outputs"] = {"decoder.logits", "decoder.weights", "decoder.states", "decoder.tokens"};
  const Json steps = stepped(json);
  CHECK(gap_of_steps(json, steps) <= exact_steps);
  CHECK(steps["state"]["numbers"] == 5);
}

TEST_CASE("what reads later rows is refused, with its module and why") {
  const auto of = [](const char* mechanism) { return refused(attention(mechanism)); };
  const Error bare = of(R"({"type": "attention", "query": "self-attention"})");
  CHECK(bare.path == "/mechanism");
  CHECK(std::string(bare.what()).find("causal mask") != std::string::npos);
  CHECK(of(R"({"type": "attention", "query": "self-attention", "core": "linear"})").path ==
        "/mechanism");
  CHECK(std::string(of(R"({"type": "fm-birnn", "hidden": 4, "inputs": {"x": "x"}})").what())
            .find("last row to the first") != std::string::npos);
  // A mask behind the softmax: its sum has seen every key.
  CHECK(of(R"({"type": "attention", "query": "self-attention", "mask": ["mask-multiply-zero"]})")
            .path == "/mechanism");
  CHECK(of(R"({"type": "attention", "query": "self-attention", "mask": ["mask-directional-bw"]})")
            .path == "/mechanism");
  for (const char* by : {"first", "last"}) {
    const Json pool{{"type", "fm-pool"}, {"by", by}, {"inputs", {{"x", "x"}}}};
    CHECK(std::string(of(pool.dump().c_str()).what()).find("by their position") !=
          std::string::npos);
  }
}

TEST_CASE("what depends on how many rows there are is refused at its knob") {
  Json document = attention(R"({"type": "attention", "query": "self-attention",
    "mask": ["mask-causal"], "position": {"type": "pos-rope", "scaling": "dynamic", "factor": 2}})");
  check_equal(document);  // up to `length` rows it scales nothing
  document["mechanism"]["position"]["length"] = 4;
  const Error dynamic = refused(document);
  CHECK(dynamic.path.ends_with("/position/scaling"));
  CHECK(std::string(dynamic.what()).find("number of rows") != std::string::npos);
}

TEST_CASE("rows of an input that nobody reads, or that is not named among several, are refused") {
  Json json =
      attention(R"({"type": "attention", "query": "self-attention", "mask": ["mask-causal"]})");
  CHECK(refused(json, "y").path == "/inputs");
  json["inputs"]["z"] = {{"matrix", {{1, 2}}}};
  CHECK(refused(json, "z").path == "/inputs/z");
  CHECK(refused(json).path == "/inputs");
  check_equal(json, "x");
}

}  // namespace attend::testing::stepwise_test
