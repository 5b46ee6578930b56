// SPDX-License-Identifier: Apache-2.0
// The typed directory of the packed result.
#include <algorithm>
#include <doctest/doctest.h>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "experiment/running/packed.h"
#include "experiment/running/sources.h"
#include "experiment/service.h"
#include "tests/checkout.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::directory_test {
namespace {

Json directory_of(const std::string& document) {
  return parse_json(run_packed(document).directory);
}

const Json& tensor(const Json& directory, const std::string& group, const std::string& name) {
  for (const Json& one : directory["tensors"]) {
    if (one["group"] == group && one["name"] == name) return one;
  }
  FAIL("no tensor " << group << " " << name);
  return directory;
}

std::string model() {
  std::ifstream file(testing::in_checkout("/examples/models/rnnsearch.json"));
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a decoder's weights know their module, their role, and whose words stand along them") {
  const Json directory = directory_of(model());
  const Json& weights = tensor(directory, "outputs", "decoder.weights");
  CHECK(weights["module"] == "decoder");
  CHECK(weights["role"] == "weights");
  CHECK(weights["kind"] == "probability");
  CHECK(weights["dimensions"][0] == Json{{"role", "query"}, {"time", true}, {"labels", "target"}});
  CHECK(weights["dimensions"][1] == Json{{"role", "key"}, {"labels", "source"}});
  CHECK(directory["tokens"]["source"][1] == "love");
  CHECK(tensor(directory, "outputs", "loss")["role"] == "loss");
  CHECK(tensor(directory, "outputs", "decoder.tokens")["kind"] == "index");
}

TEST_CASE("parameters that are indices, or draws of 0 and 1, say so") {
  const auto of = [](const char* id, const char* name) {
    return tensor(directory_of(example_text(id)), "parameters", name)["kind"];
  };
  CHECK(of("soft", "structure.landmarks") == "index");
  CHECK(of("clustered", "structure.assignment") == "index");
  CHECK(of("mask-disco", "mask.0.random") == "0/1");
  CHECK(of("general", "score.W") == "signed");
}

TEST_CASE("weights of weights are probabilities only where rows sum to 1") {
  Json document = parse_json(example_text("attention-over-attention"));
  const auto kind = [&] {
    return tensor(directory_of(document.dump()), "outputs", "weights2")["kind"];
  };
  CHECK(kind() == "probability");
  document["mechanism"]["alignment"] = "sigmoid";
  CHECK(kind() == "signed");
}

TEST_CASE("the directory lists the modules with what feeds them") {
  const Json directory = directory_of(model());
  std::map<std::string, Json> modules;
  for (const Json& one : directory["modules"]) modules[one["name"].get<std::string>()] = one;
  CHECK(modules.at("encoder")["type"] == "fm-birnn");
  CHECK(modules.at("encoder")["inputs"] == Json{{"x", "embedding"}});
  CHECK(modules.at("decoder")["inputs"]["initial"] == "encoder.last");
  CHECK(modules.at("decoder.attention")["parent"] == "decoder");
  CHECK(modules.at("encoder")["path"] == "/model/1");
  CHECK(modules.at("encoder")["result"] == "encoder.output");
  CHECK_FALSE(modules.at("decoder.attention").contains("result"));  // the decoder has its context
  CHECK(modules.at("decoder.attention")["path"] == "/model/2/attention");
}

TEST_CASE("a result written as text says the same of its tensors and modules as a packed one") {
  const Json packed = directory_of(model());
  const Json text = Json::parse(run_document(model()));
  const Json& written = text["directory"];
  CHECK(written["modules"] == packed["modules"]);
  CHECK(written["tokens"] == packed["tokens"]);
  std::size_t outputs = 0;
  for (const Json& one : written["tensors"]) {
    if (one["group"] != "outputs") continue;
    ++outputs;
    Json other = tensor(packed, "outputs", one["name"]), own = one;
    other.erase("offset");
    other.erase("from");
    own.erase("from");
    CHECK(own == other);
    CHECK(text["outputs"].contains(one["name"].get<std::string>()));
  }
  CHECK(outputs == text["outputs"].size());
}

TEST_CASE("a result knows whose it is, and what it was computed from") {
  const Json directory = directory_of(R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"key1": {"tokens": ["a", "b"], "features": {"type": "embedding", "dim": 3}},
               "key2": {"tokens": ["c", "d", "e"], "features": {"type": "embedding", "dim": 3}}},
    "mechanism": {"type": "coatt-alternating"}})");
  const auto sources = [&](const std::string& name) {
    std::set<std::string> names;
    for (const Json& place : tensor(directory, "outputs", name)["from"])
      names.insert(directory["tensors"][place.get<std::size_t>()]["name"].get<std::string>());
    return names;
  };
  // The second step asks with what the first has seen.
  const Json& query = tensor(directory, "outputs", "second.query");
  CHECK(query["module"] == "first");
  CHECK(query["within"] == "second");
  CHECK(sources("second.query") == std::set<std::string>{"first.context"});
  CHECK(sources("second.key") == std::set<std::string>{"key2"});
  CHECK(sources("second.weights") == std::set<std::string>{"second.scores"});
  CHECK(sources("weights1") == std::set<std::string>{"third.weights"});
  CHECK(sources("second.scores").contains("structure.second.score.W1"));
  CHECK(sources("second.scores").contains("first.context"));
}

TEST_CASE("of very many sources the newest are told, and of few all") {
  const Compiled compiled =
      compile(read_document(Json::parse(R"({"schema": "attention-playground/1",
    "inputs": {"query": {"matrix": [[1, 2], [3, 4]]}},
    "mechanism": {"type": "multi-hop", "hops": 80, "transform": "concat"}})")));
  const Result result = run(compiled, Detail::outputs);
  std::vector<const ResultTensor*> all;
  std::map<std::string, std::size_t> place;
  for (const ResultTensor& one : result.tensors) {
    place[one.name()] = all.size();
    all.push_back(&one);
  }
  // The question of the last hop still holds what every hop before it has found, and what the first one asked with.
  const std::size_t last = place.at("hop79.query");
  std::set<std::size_t> wanted{place.at("structure.W_t")};
  for (int hop = 0; hop < 79; ++hop)
    wanted.insert(place.at("hop" + std::to_string(hop) + ".context"));
  const auto told = [&](std::size_t together) {
    const std::vector<std::size_t> list = sources_of(compiled, all, together)[last];
    return std::set<std::size_t>(list.begin(), list.end());
  };
  const std::set<std::size_t> every = told(max_all_sources);
  CHECK(std::includes(every.begin(), every.end(), wanted.begin(), wanted.end()));
  const std::set<std::size_t> newest = told(1);  // of each at least so many as ever
  CHECK(newest.size() == min_sources);
  CHECK(newest.contains(place.at("hop78.context")));
  CHECK(!newest.contains(place.at("hop0.context")));
  CHECK(std::includes(every.begin(), every.end(), newest.begin(), newest.end()));
}

const Each dimensions("has outputs with a dimension for each axis, in the order of computation",
                      every_mechanism, [](const Mechanism& mechanism) {
                        const Json document = example_document(mechanism);
                        const Json directory = directory_of(document.dump());
                        for (const Json& one : directory["tensors"]) {
                          if (one["group"] == "steps") continue;
                          CAPTURE(one["name"].dump());
                          CHECK(one["dimensions"].size() == one["shape"].size());
                          CHECK(one["axes"].size() == one["shape"].size());
                          CHECK(one["step"].is_number());
                        }
                      });

TEST_CASE("inputs, parameters and gradients say what stands along their axes") {
  const Json directory = directory_of(R"({"schema": "attention-playground/1", "seed": 1,
    "inputs": {"x": {"tokens": ["a", "b", "c"], "features": {"type": "embedding", "dim": 4}}},
    "mechanism": {"type": "attention", "query": "self-attention", "heads": {"type": "multi-head", "count": 2},
                  "alignment": "hard-sample"},
    "gradient": {"of": "context", "outputs": true}})");
  const auto roles = [&](const std::string& group, const std::string& name) {
    std::string text;
    for (const Json& one : tensor(directory, group, name)["dimensions"])
      text += one["role"].get<std::string>() + (one.contains("labels") ? "! " : " ");
    return text;
  };
  CHECK(roles("inputs", "x") == "key! feature ");
  CHECK(roles("parameters", "heads.W_Q") == "head feature feature ");
  CHECK(roles("parameters", "alignment.u") == "head feature query ");
  CHECK(roles("gradients", "heads.W_Q") == "head feature feature ");
  CHECK(roles("gradients", "outputs.weights") == "head query! key! ");
}

TEST_CASE("tokens stand along the map inside of a block, wherever its norms are") {
  for (const char* order : {"pre", "post", "parallel", "sandwich", "output"}) {
    CAPTURE(order);
    Json document = parse_json(R"({"schema": "attention-playground/1", "seed": 1,
      "inputs": {"text": {"shape": [3, 1], "data": [0, 1, 2], "labels": ["a", "b", "c"]}},
      "model": [{"name": "tokens", "type": "fm-lookup", "rows": 3, "dim": 8, "inputs": {"x": "text"}},
                {"name": "block", "type": "transformer-block", "inputs": {"x": "tokens"}}]})");
    document["model"][1]["order"] = order;
    const Json map = tensor(directory_of(document.dump()), "outputs", "block.attention.weights");
    CHECK(map["dimensions"][map["dimensions"].size() - 2]["labels"] == "text");
    CHECK(map["dimensions"].back()["labels"] == "text");
  }
}

TEST_CASE("of several examples the inputs and their gradients have one axis more, parameters not") {
  const Json directory = directory_of(R"({"schema": "attention-playground/1", "seed": 1,
    "examples": [{"key": {"matrix": [[1, 2], [3, 4], [5, 6]]}, "query": {"matrix": [[1, 0]]}},
                 {"key": {"matrix": [[1, 1], [3, 2], [5, 3]]}, "query": {"matrix": [[0, 1]]}}],
    "mechanism": {"type": "attention", "score": "additive"}, "gradient": {"of": "context"}})");
  const auto roles = [&](const std::string& group, const std::string& name) {
    std::string text;
    for (const Json& one : tensor(directory, group, name)["dimensions"])
      text += one["role"].get<std::string>() + " ";
    return text;
  };
  CHECK(roles("inputs", "key") == "batch key feature ");
  CHECK(roles("gradients", "inputs.key") == "batch key feature ");
  CHECK(roles("parameters", "score.b") == "feature ");
  CHECK(roles("gradients", "score.b") == "feature ");
}

}  // namespace attend::testing::directory_test
