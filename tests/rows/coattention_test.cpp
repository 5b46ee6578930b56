// SPDX-License-Identifier: Apache-2.0
// Structures over two inputs: what swapping the inputs does, and what is left when one of them is small.
#include "catalogue/tables.h"
#include "tests/rows/structures.h"

namespace attend::testing::coattention_test {
namespace {

// The parts of a name "..1.." and "..2..", exchanged.
std::string other(std::string name) {
  for (char& letter : name) letter = letter == '1' ? '2' : letter == '2' ? '1' : letter;
  return name;
}

using Renaming = std::map<std::string, std::string>;

// The document with inputs 1 and 2 exchanged; parameters take each other's place by `pairs`.
Json swapped(const Json& document, const Renaming& pairs) {
  Json turned = document;
  for (const auto& [name, source] : document["inputs"].items())
    turned["inputs"][other(name)] = source;
  const auto renamed = [&](const std::string& name) {
    for (const auto& [a, b] : pairs) {
      if (name.starts_with("structure." + a)) return "structure." + b + name.substr(10 + a.size());
      if (name.starts_with("structure." + b)) return "structure." + a + name.substr(10 + b.size());
    }
    return name;
  };
  if (!document.contains("parameters")) return turned;
  turned["parameters"] = Json::object();
  for (const auto& [name, numbers] : document["parameters"].items())
    turned["parameters"][renamed(name)] = numbers;
  return turned;
}

void check_swaps(const char* id, const Renaming& pairs, const Json& patch = Json::object()) {
  const Json document = structure(id, patch);
  Json turned = swapped(document, pairs);
  if (turned.contains("parameters") && turned["parameters"].contains("structure.W_A")) {
    Json& W = parameter(turned, "W_A");
    const Array before = Array(Tensor{W["shape"], W["data"]});
    Array after({before.cols(), before.rows()});
    for (std::size_t i = 0; i < before.rows(); ++i) {
      for (std::size_t j = 0; j < before.cols(); ++j) after(j, i) = before(i, j);
    }
    W = to_json(after);
  }
  const Ran one = run_json(document), two = run_json(turned);
  for (const char* name : {"weights1", "context1", "weights2", "context2"})
    CHECK_MESSAGE(near(one.outputs.at(name), two.outputs.at(other(name))), id << " " << name);
}

// A document's error: "PATH: message".
std::string error_of(const Json& document) {
  try {
    (void)run_json(document);
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("co-attention: symmetric structures give swapped outputs for swapped inputs") {
  const Json wide = knobs({{"hidden", 5}});
  check_swaps("coatt-interactive", {{"first", "second"}});
  check_swaps("coatt-interactive-selfpool", {{"first", "second"}, {"pool1", "pool2"}});
  check_swaps("coatt-parallel", {{"W1", "W2"}, {"w1", "w2"}}, wide);
  check_swaps("coatt-twoway-naive", {});
  check_swaps("agg-pooling", {});
  check_swaps("agg-linear", {{"w1", "w2"}});
  check_swaps("agg-perceptron", {{"W1", "W2"}, {"w1", "w2"}}, wide);
  check_swaps("agg-nested-perceptron", {{"W1", "W2"}, {"w3", "w4"}}, wide);
  check_swaps("coatt-hermitian",
              {{"affinity.R_Q", "affinity.R_K"}, {"affinity.I_Q", "affinity.I_K"}},
              knobs({{"pool", "mean"}}));
}

TEST_CASE("co-attention: attention over attention has a side that begins") {
  const Json document = structure("attention-over-attention");
  const Ran one = run_json(document), two = run_json(swapped(document, {}));
  CHECK(distance(one.outputs.at("weights1"), two.outputs.at("weights2")) > 1e-3);
  check_rows_sum_to_one(one.outputs.at("weights1"));
  check_rows_sum_to_one(one.outputs.at("weights2"));
}

TEST_CASE("interactive: a single token asks by itself") {
  Json document = structure("coatt-interactive");
  Array key = input(document, "key2");
  key.shape[0] = 1;
  key.data.resize(key.shape[1]);
  document["inputs"]["key2"] = to_json(key);
  document["inputs"]["value2"] = to_json(key);
  document.erase("parameters");
  document = with_parameters(document, 3);
  const Ran plain =
      attend("activated-general", key, input(document, "key1"), input(document, "value1"),
             {{"score.W", parameter(document, "first.score.W")},
              {"score.b", parameter(document, "first.score.b")}});
  CHECK(near(run_json(document).outputs.at("context1"), plain.outputs.at("context")));
}

TEST_CASE("interactive: pools that choose nothing are means") {
  Json pooled = structure("coatt-interactive-selfpool");
  for (const char* name : {"pool1.w", "pool2.w"}) {
    for (Json& number : parameter(pooled, name)["data"]) number = 0;
  }
  Json plain = pooled;
  plain["mechanism"] = {{"type", "coatt-interactive"}};
  for (const char* symbol : {".W", ".b", ".w"}) {
    for (const char* pool : {"structure.pool1", "structure.pool2"})
      plain["parameters"].erase(std::string(pool) + symbol);
  }
  CHECK(near(run_json(pooled).outputs.at("output"), run_json(plain).outputs.at("output")));
}

TEST_CASE("parallel: without affinity each side attends to itself") {
  Json document = structure("coatt-parallel");
  for (Json& number : parameter(document, "W_A")["data"]) number = 0;
  const Ran ran = run_json(document);
  for (const char* side : {"1", "2"}) {
    const std::string number = side;
    Json self = {{"schema", "attention-playground/1"},
                 {"inputs", {{"key", document["inputs"]["key" + number]}}},
                 {"mechanism", {{"type", "attention"}, {"query", "query-constant"}}}};
    self["parameters"] = {
        {"score.W", parameter(document, "W" + number)},
        {"score.b", to_json(Array({Array(Tensor{parameter(document, "w" + number)["shape"],
                                                parameter(document, "w" + number)["data"]})
                                       .cols()}))},
        {"score.w", parameter(document, "w" + number)}};
    CHECK(near(ran.outputs.at("weights" + number), run_json(self).outputs.at("weights")));
  }
}

TEST_CASE("aggregations: means, one row, the flow's table") {
  Json linear = structure("agg-linear");
  for (Json& number : parameter(linear, "w1")["data"]) number = 0.25;  // of 4 tokens
  const Ran ran = run_json(linear);
  const Array &e = ran.outputs.at("affinity"), &scores = ran.outputs.at("scores2");
  for (std::size_t j = 0; j < e.cols(); ++j) {
    double mean = 0;
    for (std::size_t i = 0; i < e.rows(); ++i) mean += e(i, j) / static_cast<double>(e.rows());
    CHECK(scores(0, j) == doctest::Approx(mean).epsilon(1e-4));
  }

  Json nested = structure("attention-over-attention");
  Array key = input(nested, "key1");
  key.shape[0] = 1;
  key.data.resize(key.shape[1]);
  nested["inputs"]["key1"] = nested["inputs"]["value1"] = to_json(key);
  const Ran one = run_json(nested);
  CHECK(near(one.outputs.at("weights2"), one.outputs.at("M1")));

  const Ran flow = run_json(structure("coatt-qanet"));
  const Array &there = flow.outputs.at("weights2"), &back = flow.outputs.at("weights1");
  check_rows_sum_to_one(product(there, back));
}

TEST_CASE("attend, compare, aggregate: the order of words plays no part") {
  Json document = structure("attend-compare-aggregate");
  const Ran before = run_json(document);
  for (const char* name : {"key1", "value1"})
    document["inputs"][name] = to_json(rotated_rows(input(document, name), 1));
  CHECK(near(before.outputs.at("output"), run_json(document).outputs.at("output")));
}

TEST_CASE("iterative alternating: one step without gates is two attentions") {
  const Json document = structure("coatt-sordoni", knobs({{"steps", 1}, {"gates", false}}));
  const Ran ran = run_json(document);
  const auto seen = [&](const char* module, const Array& query, const std::string& side) {
    const std::string score = std::string(module) + ".score.";
    return attend("biased-general", query, input(document, "key" + side),
                  input(document, "value" + side),
                  {{"score.W", document["parameters"]["structure." + score + "W"]},
                   {"score.b", document["parameters"]["structure." + score + "b"]}});
  };
  Array query = input(document, "query");
  const Ran first = seen("first", query, "1");
  CHECK(near(ran.outputs.at("context1"), first.outputs.at("context")));
  const Array& c1 = first.outputs.at("context");
  query.data.insert(query.data.end(), c1.data.begin(), c1.data.end());
  query.shape[1] = query.data.size();
  CHECK(near(ran.outputs.at("context2"), seen("second", query, "2").outputs.at("context")));
}

TEST_CASE("rotatory: no preference gives means, no left side zeros, one hop is the module") {
  Json document = structure("rotatory");
  const Ran before = run_json(document);
  Json hop = document;
  hop["mechanism"] = {{"type", "rotatory-hop"}, {"hops", 1}};
  CHECK(distance(before.outputs.at("output"), run_json(hop).outputs.at("output")) == 0);

  for (auto& [name, numbers] : document["parameters"].items()) {
    for (Json& number : numbers["data"]) number = 0;
  }
  for (const char* module : {"tl", "tr", "lt", "rt"}) {
    const Array weights = run_json(document).outputs.at(std::string(module) + ".weights");
    for (const double weight : weights.data)
      CHECK(weight == doctest::Approx(1.0 / static_cast<double>(weights.cols())));
  }

  Json right_only = structure("rotatory", {{"inputs", {{"left", nullptr}}}});
  const Ran ran = run_json(right_only);
  const Array& output = ran.outputs.at("output");
  for (std::size_t c = 0; c < 6; ++c) CHECK(output(0, c) == 0);
  REQUIRE(ran.warnings.size() == 1);
  CHECK(ran.warnings[0].message.find("\"left\"") != std::string::npos);
}

TEST_CASE("modules of structures take any score and alignment, each its own") {
  Json document = structure(
      "coatt-interactive", knobs({{"first", {{"score", "general"}, {"alignment", "sparsemax"}}},
                                  {"second", {{"score", {{"type", "additive"}, {"hidden", 3}}}}}}));
  const Ran ran = run_json(document);
  const Array key = input(document, "key2");
  Array mean({1, key.cols()});
  for (std::size_t c = 0; c < key.cols(); ++c) {
    for (std::size_t i = 0; i < key.rows(); ++i)
      mean(0, c) += key(i, c) / static_cast<double>(key.rows());
  }
  const Ran scores = attend("general", mean, input(document, "key1"), input(document, "value1"),
                            {{"score.W", parameter(document, "first.score.W")}});
  CHECK(near(ran.outputs.at("scores1"), scores.outputs.at("scores")));
  CHECK(distance(ran.outputs.at("weights1"), scores.outputs.at("weights")) > 1e-3);
  check_rows_sum_to_one(ran.outputs.at("weights1"));
  check_rows_sum_to_one(ran.outputs.at("weights2"));

  // The score of the structure's own, and one of the catalogue beside it.
  Json flow = structure("coatt-bidaf", knobs({{"second", {{"score", "scaled-dot"}}}}));
  const Ran dots =
      attend("scaled-dot", input(flow, "key1"), input(flow, "key2"), input(flow, "value2"));
  CHECK(near(run_json(flow).outputs.at("weights2"), dots.outputs.at("weights")));
}

TEST_CASE("structures of two inputs: what does not fit is said where it stands") {
  const auto says = [](const Json& document, const std::string& path, const std::string& words) {
    const std::string error = error_of(document);
    CHECK_MESSAGE(error.starts_with(path + ": "), error);
    CHECK_MESSAGE(error.find(words) != std::string::npos, error);
  };
  const auto example = [](const char* id) {
    return example_document(*find_mechanism(Kind::structure, id));
  };
  Json asked = example("coatt-parallel");
  asked["mechanism"]["first"] = {{"score", "additive"}};
  says(asked, "/mechanism/first/score", "this step has no query");
  Json missing = example("coatt-interactive");
  missing["inputs"].erase("key2");
  says(missing, "/inputs", "\"key2\"");
  Json narrow = example("coatt-bidaf");
  narrow["inputs"]["key2"] = to_json(Array({5, 2}));
  says(narrow, "/inputs/key2", "[n2 d]");
  Json short_values = example("coatt-interactive");
  short_values["inputs"]["value1"] = to_json(Array({3, 3}));
  says(short_values, "/inputs/value1", "expected shape");
  Json merged = example("coatt-parallel");
  merged["mechanism"]["merge"] = "sum";
  merged["inputs"]["value2"] = to_json(Array({5, 2}));
  says(merged, "/mechanism/merge", "the same width");
  Json unlike = example("coatt-twoway-naive");
  unlike["inputs"]["key2"] = to_json(Array({5, 2}));
  says(unlike, "/mechanism/affinity", "equally wide");
}

}  // namespace attend::testing::coattention_test
