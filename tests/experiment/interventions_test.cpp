// SPDX-License-Identifier: Apache-2.0
// Changes to tensors while a document runs: what reads them reads the changed ones, in modules, heads, rows, scans,
// batches and gradients; and what is refused. tests/python/test_interventions.py compares them with PyTorch's hooks.
#include "experiment/reading/interventions.h"

#include <cmath>
#include <doctest/doctest.h>

#include "experiment/learning/learner.h"
#include "experiment/running/explain.h"
#include "experiment/service.h"
#include "experiment/session.h"
#include "ops/near_names.h"
#include "tests/experiment/harness.h"

namespace attend::testing::interventions_test {
namespace {

Json attention(const Json& interventions = Json::array()) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"x": {"matrix": [[1, 0, 2, 1], [0, 1, 1, -1], [2, 1, 0, 1]]}},
    "mechanism": {"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
                  "heads": {"type": "multi-head", "count": 2}}})");
  json["interventions"] = interventions;
  return json;
}

// A recurrent decoder: its weights are computed in the steps of a scan.
Json translator(const Json& interventions = Json::array()) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 5,
    "inputs": {"source": {"tokens": ["a", "b", "c"]}, "target": {"tokens": ["x", "y", "<end>"]}},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 4},
      {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 3},
      {"name": "decoder", "type": "om-decoder", "hidden": 5, "dim": 4,
       "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"},
       "attention": {"score": {"type": "additive", "hidden": 4}}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}]})");
  json["interventions"] = interventions;
  return json;
}

struct Refused {
  std::string path, says;
};
Refused refused(const Json& document) {
  try {
    (void)run_json(document);
  } catch (const Error& error) {
    return {error.path, error.what()};
  }
  return {"none", ""};
}
Refused refused(const char* interventions) { return refused(attention(parse_json(interventions))); }

// What is set keeps the steps of the recording, so that what follows finds its place.
TEST_CASE("a whole tensor is set to a list before another one is changed") {
  Json first_key = Json::array();  // of two heads, every row looks at the first key alone
  for (int head = 0; head < 2; ++head)
    first_key.push_back(Json::array({{1, 0, 0}, {1, 0, 0}, {1, 0, 0}}));
  const Json set{{"type", "set"}, {"of", "weights"}, {"value", first_key}};
  const Json scale{{"type", "scale"}, {"of", "heads"}, {"rows", 0}, {"value", .5}};
  const Ran both = run_json(attention(Json::array({set, scale})));
  const Ran alone = run_json(attention(Json::array({set})));
  const Array &a = both.outputs.at("heads"), &b = alone.outputs.at("heads");
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    const bool first = i / a.cols() % 3 == 0;
    CHECK(std::abs(a.data[i] - (first ? .5 : 1) * b.data[i]) <
          tolerance * (1 + std::abs(b.data[i])));
  }
}

void check_same(const Ran& a, const Ran& b) {
  CHECK(a.outputs.size() == b.outputs.size());
  for (const auto& [name, array] : a.outputs) {
    CAPTURE(name);
    CHECK(distance(array, b.outputs.at(name)) < tolerance);
  }
}

}  // namespace

TEST_CASE("interventions that change nothing leave every output as it is") {
  const Ran plain = run_json(attention());
  for (const char* same :
       {R"([{"type": "scale", "of": "weights", "value": 1}])",
        R"([{"type": "scale", "of": "scores", "head": 1, "rows": [0, 2], "value": [1, 1, 1]}])",
        R"([{"type": "patch", "of": "weights", "from": "clean"}])",
        R"([{"type": "patch", "of": "value", "head": 0, "from": "clean"}])",
        R"([{"type": "patch", "of": "inputs.x", "rows": 1, "from": "clean"}])",
        R"([{"type": "patch", "of": "heads.W_Q", "from": "clean"}])"}) {
    CAPTURE(same);
    check_same(plain, run_json(attention(parse_json(same))));
  }
  const Json scaled = parse_json(R"([{"type": "scale", "of": "decoder.weights", "value": 1}])");
  check_same(run_json(translator()), run_json(translator(scaled)));
}

TEST_CASE("a patch from the clean run that needs parameters read only later is refused by name") {
  const Refused says = refused(translator(
      parse_json(R"([{"type": "patch", "of": "decoder.states", "rows": 1, "from": "clean"}])")));
  CHECK(says.path == "/interventions/0");
  CHECK(says.says.find("which the program reads only later") != std::string::npos);
}

TEST_CASE("a head that is set to 0 adds nothing to the context, and the other head stays") {
  const Ran plain = run_json(attention());
  const Ran cut = run_json(
      attention(parse_json(R"([{"type": "set", "of": "weights", "head": 1, "value": 0}])")));
  CHECK(distance(part(plain.outputs.at("weights"), 0), part(cut.outputs.at("weights"), 0)) <
        tolerance);
  for (const char* name : {"weights", "heads"}) {
    const Array off = part(cut.outputs.at(name), 1);
    for (const double x : off.data) CHECK(x == 0);
  }
  CHECK(distance(plain.outputs.at("context"), cut.outputs.at("context")) > .01);
  // The context is what the first head alone gives behind its rows of W_O.
  const Array head = part(cut.outputs.at("heads"), 0), &W = plain.parameters.at("heads.W_O");
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t c = 0; c < W.cols(); ++c) {
      double sum = 0;
      for (std::size_t k = 0; k < head.cols(); ++k) sum += head(i, k) * W(k, c);
      CHECK(cut.outputs.at("context")(i, c) == doctest::Approx(sum).epsilon(1e-5));
    }
  }
}

TEST_CASE("of several interventions on one tensor the later one reads what the earlier one gave") {
  const Ran both = run_json(attention(parse_json(
      R"([{"type": "set", "of": "weights", "rows": 2, "value": [0.5, 0.25, 0.25]},
          {"type": "scale", "of": "weights", "rows": [2], "head": 0, "value": [[2, 0, 4]]}])")));
  const Array& weights = both.outputs.at("weights");  // [h m n]
  CHECK(weights.data[6] == 1);
  CHECK(weights.data[7] == 0);
  CHECK(weights.data[8] == 1);
  CHECK(weights.data[15] == .5);
}

TEST_CASE("weights of a decoder are changed in its steps, so that later states differ") {
  const Ran plain = run_json(translator());
  const Ran set = run_json(translator(
      parse_json(R"([{"type": "set", "of": "decoder.weights", "rows": 0, "value": [0, 0, 1]}])")));
  const Array &weights = set.outputs.at("decoder.weights"),
              &memory = plain.outputs.at("encoder.output");
  CHECK(weights(0, 2) == 1);
  CHECK(weights(0, 0) == 0);
  const Array& context = set.outputs.at("decoder.context");
  for (std::size_t c = 0; c < context.cols(); ++c)
    CHECK(context(0, c) == doctest::Approx(memory(2, c)).epsilon(1e-5));
  CHECK(distance(plain.outputs.at("decoder.states"), set.outputs.at("decoder.states")) > 1e-3);
  // What came before the changed row is as it was.
  const Ran last = run_json(translator(
      parse_json(R"([{"type": "set", "of": "decoder.weights", "rows": 2, "value": [0, 0, 1]}])")));
  for (std::size_t c = 0; c < 5; ++c) {
    CHECK(last.outputs.at("decoder.states")(1, c) ==
          doctest::Approx(plain.outputs.at("decoder.states")(1, c)));
  }
}

TEST_CASE("gradients pass through what stays, by finite differences") {
  for (const char* interventions :
       {R"([{"type": "scale", "of": "scores", "head": 0, "value": 0.5}])",
        R"([{"type": "set", "of": "weights", "head": 1, "rows": [1], "value": [[0.25, 0.75, 0]]},
            {"type": "patch", "of": "value", "head": 0, "rows": 2, "from": "clean"}])"}) {
    CAPTURE(interventions);
    Json document = with_parameters(attention(parse_json(interventions)), 7);
    document["gradient"] = {{"of", "context"}};
    const Ran ran = run_json(document);
    for (const char* name : {"heads.W_Q", "heads.W_V"}) {
      const std::size_t at = 3;
      const double h = sizeof(real) == 8 ? 1e-6 : 1e-2;
      const auto total = [&](double by) {
        Json moved = document;
        moved["parameters"][name]["data"][at] =
            moved["parameters"][name]["data"][at].get<double>() + by;
        double sum = 0;
        // A patch is held: no gradient goes into where its value comes from.
        const auto result = run_json(moved);
        for (const double x : result.outputs.at("context").data) sum += x;
        return sum;
      };
      const bool patched = std::string(interventions).find("patch") != std::string::npos;
      if (patched && std::string(name) == "heads.W_V") continue;
      const double slope = (total(h) - total(-h)) / (2 * h);
      CHECK(ran.gradients.at(name).data[at] ==
            doctest::Approx(slope).epsilon(sizeof(real) == 8 ? 1e-6 : 2e-2));
    }
  }
  // A tensor that is set has no slope behind it.
  Json whole = attention(parse_json(R"([{"type": "set", "of": "weights", "value": 0.5}])"));
  whole["gradient"] = {{"of", "context"}};
  const auto unmoved = run_json(whole);
  for (const double x : unmoved.gradients.at("heads.W_Q").data) CHECK(x == 0);
}

TEST_CASE(
    "a patch takes the value that the tensor has in another example, run without interventions") {
  Json document = attention(parse_json(
      R"([{"type": "set", "of": "inputs.x", "rows": 0, "value": 0},
          {"type": "patch", "of": "weights", "head": 1, "from": {"example": 1}}])"));
  document.erase("inputs");
  document["examples"] =
      parse_json(R"([{"x": {"matrix": [[1, 0, 2, 1], [0, 1, 1, -1], [2, 1, 0, 1]]}},
                                        {"x": {"matrix": [[0, 1, 0, 3], [1, 1, -1, 0], [1, 0, 2, 2]]}}])");
  const Ran together = run_json(document);
  Json alone = attention();
  alone["inputs"] = document["examples"][1];
  const Array source = part(run_json(alone).outputs.at("weights"), 1);
  for (std::size_t k = 0; k < 2; ++k) {
    CHECK(distance(part(part(together.outputs.at("weights"), k), 1), source) < tolerance);
  }
  // The other head reads the changed input.
  Json changed = attention();
  changed["inputs"]["x"]["matrix"][0] = {0, 0, 0, 0};
  CHECK(distance(part(part(together.outputs.at("weights"), 0), 0),
                 part(run_json(changed).outputs.at("weights"), 0)) < tolerance);
}

TEST_CASE("what interventions name wrongly is refused at its place") {
  CHECK(refused(R"([{"type": "cut", "of": "weights"}])").path == "/interventions/0/type");
  const Refused name = refused(R"([{"type": "set", "of": "weight", "value": 1}])");
  CHECK(name.path == "/interventions/0/of");
  CHECK(name.says.find("weights") != std::string::npos);
  CHECK(refused(R"([{"type": "scale", "of": "weights", "value": 1},
                    {"type": "set", "of": "weights", "value": [1, 2]}])")
            .path == "/interventions/1/value");
  CHECK(refused(R"([{"type": "set", "of": "weights", "value": [1, 2]}])").says.find("[2 3 3]") !=
        std::string::npos);
  CHECK(refused(R"([{"type": "set", "of": "weights", "rows": [0, 3], "value": 1}])").path ==
        "/interventions/0/rows/1");
  CHECK(refused(R"([{"type": "set", "of": "weights", "rows": 3, "value": 1}])").path ==
        "/interventions/0/rows");
  CHECK(refused(R"([{"type": "set", "of": "weights", "rows": [1, 1], "value": 1}])").path ==
        "/interventions/0/rows/1");
  CHECK(refused(R"([{"type": "set", "of": "weights", "head": 2, "value": 1}])").path ==
        "/interventions/0/head");
  CHECK(refused(R"([{"type": "set", "of": "context", "head": 0, "value": 1}])").path ==
        "/interventions/0/head");
  CHECK(refused(R"([{"type": "set", "of": "weights"}])").path == "/interventions/0/value");
  CHECK(refused(R"([{"type": "set", "of": "weights", "from": "clean", "value": 1}])").path ==
        "/interventions/0/from");
  CHECK(refused(R"([{"type": "patch", "of": "weights", "value": 1, "from": "clean"}])").path ==
        "/interventions/0/value");
  CHECK(refused(R"([{"type": "patch", "of": "weights"}])").path == "/interventions/0/from");
  CHECK(refused(R"([{"type": "patch", "of": "weights", "from": {"example": 0}}])").path ==
        "/interventions/0/from/example");
  CHECK(refused(R"([{"type": "patch", "of": "weights", "from": {"run": 0}}])").path ==
        "/interventions/0/from/run");
  CHECK(refused(R"([{"type": "set", "of": "weights", "value": 1, "when": 2}])").path ==
        "/interventions/0/when");
  CHECK(refused(R"({"type": "set"})").path == "/interventions");
}

TEST_CASE("an intervention on what nobody reads says so") {
  const Ran ran =
      run_json(attention(parse_json(R"([{"type": "set", "of": "context", "value": 1}])")));
  bool warned = false;
  for (const Warning& warning : ran.warnings)
    warned = warned || warning.path == "/interventions/0/of";
  CHECK(warned);
  CHECK(run_json(attention(parse_json(R"([{"type": "set", "of": "weights", "value": 1}])")))
            .warnings.empty());
}

TEST_CASE("a ramp that is changed changes the weights, each row of them alone") {
  for (const char* core : {"adaptive-span", "dynamic-span"}) {
    CAPTURE(core);
    Json document = attention();
    document["mechanism"].erase("mask");
    document["mechanism"]["core"] = {{"type", core}, {"R", 2}};
    const Ran plain = run_json(document);
    // A factor for all keys of a row is divided out again.
    document["interventions"] = parse_json(R"([{"type": "scale", "of": "ramp", "value": 0.5}])");
    CHECK(distance(plain.outputs.at("weights"), run_json(document).outputs.at("weights")) <
          tolerance);
    document["interventions"] =
        parse_json(R"([{"type": "scale", "of": "ramp", "rows": 2, "value": [1, 1, 0]}])");
    const Ran ran = run_json(document);
    CHECK(ran.warnings.empty());
    const Array &before = plain.outputs.at("weights"), &after = ran.outputs.at("weights");
    CHECK(after.data[8] == 0);
    CHECK(before.data[8] > 0);
    CHECK(after.data[7] > before.data[7]);
    CHECK(after.data[4] == before.data[4]);
  }
}

TEST_CASE("cells of a changed tensor and of what reads it are explained by the changed numbers") {
  const Json document =
      attention(parse_json(R"([{"type": "scale", "of": "scores", "head": 0, "value": 3}])"));
  const Ran ran = run_json(document);
  const Json scores = parse_json(explain_document(document.dump(), "scores", "[0,2,1]"));
  CHECK(scores["value"].get<double>() ==
        doctest::Approx(ran.outputs.at("scores").data[7]).epsilon(1e-5));
  const Json weights = parse_json(explain_document(document.dump(), "weights", "[0,2,1]"));
  CHECK(weights["value"].get<double>() ==
        doctest::Approx(ran.outputs.at("weights").data[7]).epsilon(1e-5));
}

TEST_CASE("a session takes other numbers of a document with interventions") {
  Session session;
  Json document =
      attention(parse_json(R"([{"type": "set", "of": "weights", "head": 0, "value": 0.5}])"));
  (void)session.run(document.dump());
  document["inputs"]["x"]["matrix"][0][0] = -4;
  const Packed packed = session.run(document.dump());
  const Ran fresh = run_json(document);
  const Json directory = parse_json(packed.directory);
  bool found = false;
  for (const Json& tensor : directory["tensors"]) {
    if (tensor["group"] != "outputs" || tensor["name"] != "context") continue;
    found = true;
    const std::size_t offset = tensor["offset"];
    const Array& context = fresh.outputs.at("context");
    for (std::size_t i = 0; i < context.data.size(); ++i)
      CHECK(static_cast<double>(packed.data[offset + i]) ==
            doctest::Approx(context.data[i]).epsilon(1e-5));
  }
  CHECK(found);
}

TEST_CASE("a model learns with its interventions in place") {
  Json json =
      translator(parse_json(R"([{"type": "set", "of": "decoder.weights", "value": 0.25}])"));
  json["training"] =
      parse_json(R"({"task": {"type": "task-reverse", "shortest": 4, "longest": 4}, "batch": 4})");
  json["inputs"] = Json::object();
  Learner learner(json);
  const TensorFile before = learner.checkpoint();
  for (int i = 0; i < 3; ++i) (void)learner.step();
  const TensorFile after = learner.checkpoint();
  // Nobody reads the scores any more, so their weights have a gradient of 0.
  const char* scored = "decoder.attention.score.W1";
  CHECK(before.tensors.at(scored).data == after.tensors.at(scored).data);
  CHECK(before.tensors.at("decoder.W_c").data != after.tensors.at("decoder.W_c").data);
}

TEST_CASE("names near a name: those that hold it first, then by letters") {
  CHECK(names_near("weight", {"scores", "context", "decoder.weights", "weights"}, 2) ==
        "weights, decoder.weights");
  CHECK(names_near("contxt", {"scores", "context", "weights"}, 1) == "context");
}

}  // namespace attend::testing::interventions_test
