// SPDX-License-Identifier: Apache-2.0
// What a result says of its cost, against counts by hand.
#include "experiment/running/result_cost.h"

#include <doctest/doctest.h>

#include "experiment/running/packed.h"
#include "experiment/running/write.h"
#include "tests/experiment/harness.h"

namespace attend::testing::result_cost_test {
namespace {

// m = 2 queries, n = 3 keys, d = 4, dv = 5.
Json small() {
  Json document{{"schema", "attention-playground/1"},
                {"mechanism", {{"type", "attention"}, {"query", "query-basic"}, {"score", "dot"}}}};
  const auto input = [&](const char* role, std::size_t rows, std::size_t columns) {
    std::vector<double> numbers(rows * columns);
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i % 5) / 4;
    document["inputs"][role] = {{"shape", {rows, columns}}, {"data", numbers}};
  };
  input("query", 2, 4);
  input("key", 3, 4);
  input("value", 3, 5);
  return document;
}

Json cost_of(const Json& document) {
  return Json::parse(write_result(run(compile(read_document(document)), Detail::outputs)))["cost"];
}

}  // namespace

TEST_CASE("a result's cost is that of its outputs, and of the context alone") {
  Json document = small();
  document["outputs"] = {"scores", "weights", "context"};
  const Json cost = cost_of(document);
  // Scores: 2 3 4 steps; softmax: 4 steps and an exponential a cell; context: 2 3 5 steps.
  CHECK(cost["multiply_adds"] == 24 + 4 * 6 + 30);
  CHECK(cost["exponentials"] == 6);
  // A tensor with two names is copied once more.
  const std::size_t bytes = (8 + 12 + 6 + 6 + 6 + 6 + 15 + 10) * sizeof(real);
  CHECK(cost["bytes"] >= bytes);
  CHECK(cost["bytes"] <= bytes + 2 * 12 * sizeof(real));
  CHECK(cost["exact"] == true);
  CHECK(cost["context"]["multiply_adds"] == cost["multiply_adds"]);
  document["outputs"] = {"scores"};
  CHECK(cost_of(document)["multiply_adds"] == 24);
  CHECK(cost_of(document)["exponentials"] == 0);
  CHECK(cost_of(document)["context"]["multiply_adds"] == 24 + 4 * 6 + 30);
}

TEST_CASE("a model's cost is that of what its modules give, whatever is asked for") {
  const Json document = Json::parse(R"({"schema": "attention-playground/1",
    "inputs": {"x": {"tokens": ["a", "b", "c"], "features": {"type": "embedding", "dim": 4}}},
    "model": [{"name": "one", "type": "fm-linear", "inputs": {"x": "x"}, "width": 5},
              {"name": "two", "type": "fm-linear", "inputs": {"x": "one"}, "width": 2}],
    "outputs": ["one.output"]})");
  const Json cost = cost_of(document);
  CHECK(cost["multiply_adds"] == 3 * 4 * 5);
  CHECK(cost["model"]["multiply_adds"] == 3 * 4 * 5 + 3 * 5 * 2);
  CHECK_FALSE(cost.contains("context"));
  CHECK_FALSE(cost_of(small()).contains("model"));
  Json all = document;
  all.erase("outputs");
  CHECK(cost_of(all)["model"] == cost["model"]);
  CHECK(cost_of(all)["multiply_adds"] == cost["model"]["multiply_adds"]);
}

TEST_CASE("an embedding is looked up, in a module and in a decoder's steps") {
  const auto model = [](const char* words) {
    return Json::parse(R"({"schema": "attention-playground/1",
      "inputs": {"x": {"tokens": ["a", "b", "c"]}, "y": {"tokens": ["c", "<end>"]}},
      "model": [{"name": "e", "type": "fm-embedding", "inputs": {"x": "x"}, "dim": 4, "vocabulary": )" +
                       std::string(words) + R"(},
                {"name": "d", "type": "om-decoder", "inputs": {"memory": "e", "target": "y"}, "hidden": 3, "dim": 2,
                 "vocabulary": ["<start>", "<end>", "<unknown>", "a", "b", "c"]}]})");
  };
  const Json few = model(R"(["<start>", "<end>", "<unknown>", "a", "b", "c"])");
  Json embedding = few, decoder = few;
  embedding["outputs"] = {"e.output"};
  CHECK(cost_of(embedding)["multiply_adds"] == 0);
  CHECK(cost_of(embedding)["bytes"] == 2 * 3 * 4 * sizeof(real));
  // However many words the table knows, the same is read.
  Json many = model(R"(["<start>", "<end>", "<unknown>", "a", "b", "c", "d", "e", "f", "g", "h"])");
  many["outputs"] = {"e.output"};
  CHECK(cost_of(many)["bytes"] == cost_of(embedding)["bytes"]);
  // A row of the decoder's own table is wider by one: 6 words in 2 steps would be 12 multiply-adds more.
  decoder["outputs"] = {"d.logits"};
  Json wider = decoder;
  wider["model"][1]["dim"] = 3;
  const auto steps = [](const Json& document) {
    return cost_of(document)["multiply_adds"].get<long>();
  };
  CHECK(steps(wider) - steps(decoder) == 2 * 3 * 3);  // what the cell's three gates read more
}

TEST_CASE("the bytes are what passes through the operations, not what is held at once") {
  const auto with_words = [](std::size_t count) {
    Json document = Json::parse(R"({"schema": "attention-playground/1", "outputs": ["context"],
      "inputs": {"x": {"tokens": [], "features": {"type": "embedding", "dim": 8}}}, "mechanism":
      {"type": "attention", "query": "self-attention", "core": {"type": "moba", "block": 32}}})");
    for (std::size_t i = 0; i < count; ++i) document["inputs"]["x"]["tokens"].push_back("w");
    return document;
  };
  const auto passes = [&](std::size_t count) {
    return cost_of(with_words(count))["bytes"].get<double>();
  };
  const Compiled compiled = compile(read_document(with_words(1100)));
  const Plan held =
      plan_within_limits(compiled, prepare(compiled, Detail::outputs).program, Keep::wanted);
  // Some queries at a time go over all keys: their weights are written again and again in the same place.
  CHECK(passes(1100) > 4 * static_cast<double>((held.numbers + held.hidden) * sizeof(real)));
  CHECK(passes(2200) > 3 * passes(1100));
}

TEST_CASE("gradients are not part of a result's cost, and the page gets the same") {
  Json document = small();
  const Json plain = cost_of(document);
  document["gradient"] = {{"of", "context"}};
  CHECK(cost_of(document) == plain);
  CHECK(Json::parse(run_packed(document.dump()).directory)["cost"] == plain);
}

TEST_CASE("where data decide, the cost is said to be a bound") {
  Json document = small();
  document["mechanism"]["alignment"] = "sparsemax";
  CHECK(cost_of(document)["exact"] == false);
}

}  // namespace attend::testing::result_cost_test
