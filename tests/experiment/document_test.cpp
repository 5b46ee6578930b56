// SPDX-License-Identifier: Apache-2.0
// The document: defaults, aliases, canonical form, token features, and the examples of the gallery.
#include <doctest/doctest.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "experiment/describing/describe.h"
#include "experiment/recording/normalise.h"
#include "experiment/service.h"
#include "tests/checkout.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::document_test {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::filesystem::path> examples() {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(testing::in_checkout("/examples"))) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  return files;
}

void check_normalised(const std::string& text) {
  const std::string once = normalise_document(text);
  CHECK(normalise_document(once) == once);
  const Ran given = run_json(Json::parse(text)), normal = run_json(Json::parse(once));
  for (const auto& [name, output] : given.outputs)
    CHECK_MESSAGE(distance(output, normal.outputs.at(name)) == 0, text);
}

const Each normalised("has a normal form that computes the same and stays", every_mechanism,
                      [](const Mechanism& mechanism) {
                        check_normalised(example_document(mechanism).dump());
                      });

}  // namespace

TEST_CASE("an example's normal form computes the same and stays") {
  for (const auto& file : examples()) check_normalised(read_file(file));
}

TEST_CASE("I love you gives the textbook's matrix") {
  const Ran ran =
      run_json(Json::parse(read_file(testing::in_checkout("/examples/i-love-you.json"))));
  Array expected({3, 3});
  expected.data = {.94, .02, .04, .11, .01, .88, .03, .95, .02};
  CHECK(distance(ran.outputs.at("weights"), expected) < 1e-6);
}

TEST_CASE("an id may be written without its section's prefix") {
  const auto run_with = [](const char* mask, const char* query, const char* position) {
    Json document = example_document(*find_mechanism(Kind::query, "self-attention"));
    document["mechanism"]["mask"] = mask;
    document["mechanism"]["query"] = query;
    document["mechanism"]["position"] = position;
    return run_json(document).outputs.at("context");
  };
  CHECK(distance(run_with("causal", "self", "sinusoidal"),
                 run_with("mask-causal", "self-attention", "pos-sinusoidal")) == 0);
}

TEST_CASE("the same word has the same features, another seed gives others") {
  const auto features = [](std::uint64_t seed) {
    Json inputs = Json::parse(R"({"x": {"tokens": ["a", "b", "a"]}})");
    Json document{{"schema", "attention-playground/1"},
                  {"seed", seed},
                  {"inputs", inputs},
                  {"mechanism", {{"type", "attention"}, {"query", "self"}}}};
    return Array(read_document(document).inputs.at("x").tensor);
  };
  const Array one = features(1), two = features(2);
  CHECK(one.shape == Shape{3, 16});
  CHECK(one.row(0) == one.row(2));
  CHECK(one.row(0) != one.row(1));
  CHECK(one.row(0) != two.row(0));
}

TEST_CASE("one-hot inputs share a vocabulary") {
  const Json json = Json::parse(
      R"({"schema": "attention-playground/1", "mechanism": {"type": "attention"}, "inputs": {
      "query": {"tokens": ["b"], "features": {"type": "one-hot"}},
      "key": {"tokens": ["a", "b"], "features": {"type": "one-hot"}}}})");
  const Document document = read_document(json);
  CHECK(document.inputs.at("key").tensor.data == std::vector<double>{1, 0, 0, 1});
  CHECK(document.inputs.at("query").tensor.data == std::vector<double>{0, 1});
}

TEST_CASE("a shape is read off a given parameter") {
  Json document = example_document(*find_mechanism(Kind::score, "additive"));
  document["parameters"]["score.w"] = Json::array({1.0, -1.0, 0.5});
  const Ran ran = run_json(document);
  CHECK(ran.parameters.at("score.W1").shape == Shape{6, 3});
  CHECK(std::get<double>(ran.knobs.at("/mechanism/score").at("hidden")) == 3);
}

TEST_CASE("widths of heads are read off whichever matrix is given") {
  Json document = example_document(*find_mechanism(Kind::heads, "multi-head"));
  document["mechanism"]["heads"]["count"] = 2;
  document["parameters"]["heads.W_O"] = to_json(Array({8, 3}, 0.5));
  const Ran ran = run_json(document);
  CHECK(ran.parameters.at("heads.W_V").shape == Shape{2, 6, 4});
  CHECK(ran.outputs.at("context").shape == Shape{5, 3});
}

TEST_CASE("the result of an efficient mechanism answers to output and to context") {
  const Ran ran = run_json(example_document(*find_mechanism(Kind::core, "linear")));
  CHECK(distance(ran.outputs.at("output"), ran.outputs.at("context")) == 0);
}

TEST_CASE("requested outputs come alone") {
  Json document = example_document(*find_mechanism(Kind::score, "dot"));
  document["outputs"] = {"weights"};
  const Ran ran = run_json(document);
  CHECK(ran.outputs.size() == 1);
  CHECK(ran.outputs.contains("weights"));
}

TEST_CASE("the catalogue describes every mechanism completely") {
  const Json catalogue = describe_catalogue();
  CHECK(catalogue["mechanisms"].size() == all_mechanisms().size());
  std::set<std::string> seen;
  for (const Json& m : catalogue["mechanisms"]) {
    const std::string id = m["id"];
    CHECK_MESSAGE(seen.insert(m["kind"].get<std::string>() + "/" + id).second, id);
    for (const char* field : {"title", "formula", "sentence"})
      CHECK_MESSAGE(!m[field].get<std::string>().empty(), id << " lacks " << field);
    CHECK_MESSAGE(m["source"]["link"].get<std::string>().starts_with("https://"), id);
    CHECK_MESSAGE((m["differentiable"].get<bool>() || m["learns"].is_string()), id);
  }
}

}  // namespace attend::testing::document_test
