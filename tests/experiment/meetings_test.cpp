// SPDX-License-Identifier: Apache-2.0
// Parts of a module that meet: each keeps its formula beside the others.
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/exporting/modules.h"
#include "experiment/service.h"
#include "ops/error.h"
#include "tests/experiment/harness.h"

namespace attend::testing::meetings_test {
namespace {

Json document(const char* mechanism, std::size_t rows = 5) {
  return document_of_rows(mechanism, rows);
}

Json filled(const Shape& shape, double number) {
  return {{"shape", shape}, {"data", std::vector<double>(element_count(shape), number)}};
}

Error refused(const Json& json) {
  try {
    (void)run_document(json.dump());
  } catch (const Error& error) {
    return error;
  }
  return Error("none", "");
}

double largest(const Array& array) {
  double most = 0;
  for (const double x : array.data) most = std::max(most, std::abs(x));
  return most;
}

TEST_CASE("a gate stands behind everything that heads do with their contexts") {
  for (const char* heads : {"multi-head", "grouped-query", "differential", "differential-v2"}) {
    for (const char* per : {"element", "head"}) {
      CAPTURE(heads);
      CAPTURE(per);
      Json json = document(R"({"type": "attention", "query": "self-attention"})");
      json["mechanism"]["heads"] = {{"type", heads}, {"count", 2}};
      json["mechanism"]["aggregate"] = {{"type", "gated-output"}, {"per", per}};
      const Ran open = run_json(json);
      json["parameters"]["aggregate.b_g"] = filled(open.parameters.at("aggregate.b_g").shape, -40);
      CHECK(open.parameters.at("aggregate.b_g").shape[0] == 2);  // one for each head, not stream
      CHECK(largest(run_json(json).outputs.at("context")) < 1e-12);
    }
  }
}

TEST_CASE("a gate acts on what a module reads of the attention inside of it") {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"memory": {"matrix": [[1, 0, 2], [0, 1, 1], [2, 1, 0]]}, "target": {"tokens": ["a", "b"]}},
    "model": [{"name": "d", "type": "om-decoder", "inputs": {"memory": "memory", "target": "target"}, "hidden": 3,
               "dim": 3, "attention": {"score": "dot", "aggregate": "gated-output"}}]})");
  json["parameters"]["d.attention.aggregate.b_g"] = filled({3}, -40);
  json["parameters"]["d.attention.aggregate.W_g"] = filled({3, 3}, 0);
  CHECK(largest(run_json(json).outputs.at("d.context")) < 1e-12);
}

TEST_CASE("differential heads take the first values of others like them") {
  Json json =
      document(R"({"type": "attention", "query": "self-attention", "value": "value-residual",
                           "heads": {"type": "differential", "count": 2}})");
  Json first = json;
  first["mechanism"].erase("value");
  const Array value = run_json(first).outputs.at("value");
  CHECK(value.shape[0] == 2);
  json["inputs"]["first"] = {{"shape", value.shape}, {"data", value.data}};
  // Half of the own values and half of the first, which are the same.
  CHECK(distance(run_json(json).outputs.at("value"), value) < tolerance);
}

TEST_CASE("streams of heads take a score with rows of its own, or say why they cannot") {
  Json json = document(R"({"type": "attention", "query": "self-attention",
    "score": {"type": "convolution-based", "filters": 2}, "heads": {"type": "differential", "count": 2}})");
  CHECK(run_json(json).outputs.at("context").shape[0] == 2);
  json["mechanism"]["heads"]["type"] = "differential-v2";
  const Error error = refused(json);
  CHECK(error.path == "/mechanism/heads");
  CHECK(std::string(error.what()).find("query rows") != std::string::npos);
}

TEST_CASE("maps of every feature stand beside heads that share keys") {
  for (const char* core : {"mamba", "gdn-2"}) {
    CAPTURE(core);
    Json json = document(R"({"type": "attention", "query": "self-attention",
                             "heads": {"type": "grouped-query", "count": 6, "groups": 3}})");
    json["mechanism"]["core"] = core;
    const Ran ran = run_json(json);
    const Array &map = ran.outputs.at("implied"), &heads = ran.outputs.at("heads"),
                &value = ran.outputs.at("value");
    REQUIRE(map.shape == Shape{6, 1, 5, 5});
    for (std::size_t h = 0; h < 6; ++h) {
      for (std::size_t i = 0; i < 5; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 5; ++j)
          sum += map.data[(h * 5 + i) * 5 + j] * value.data[h / 2 * 5 + j];
        CHECK(std::abs(sum - heads.data[h * 5 + i]) < tolerance * (1 + std::abs(sum)));
      }
    }
  }
}

TEST_CASE("reflections of any size leave the rows before them as they are") {
  Json json = document(R"({"type": "attention", "query": "self-attention", "score": "scaled-dot",
    "mask": ["mask-causal"], "position": [{"type": "pos-path", "gates": "given"}]})");
  const Array w = run_json(json).parameters.at("position.0.w");
  std::vector<double> other = w.data;
  for (std::size_t i = 3 * w.cols(); i < other.size(); ++i) other[i] *= 1000;
  json["parameters"]["position.0.w"] = {{"shape", w.shape}, {"data", w.data}};
  const Array before = run_json(json).outputs.at("context");
  json["parameters"]["position.0.w"]["data"] = other;
  const Array after = run_json(json).outputs.at("context");
  for (std::size_t i = 0; i < 3 * before.cols(); ++i) CHECK(before.data[i] == after.data[i]);
  for (const double x : after.data) CHECK(std::isfinite(x));
}

TEST_CASE("what is wrong with an input is said at the input, however deep it is read") {
  Json json = document(
      R"({"type": "transformer-block", "attention": {"type": "attention", "query": "self-attention",
                           "value": "value-residual", "heads": {"type": "multi-head", "count": 2}}})");
  json["inputs"]["first"] = filled({5, 2}, 1);
  CHECK(refused(json).path == "/inputs/first");
}

TEST_CASE("what a size is made of stands where the size is not known") {
  Json json = document(R"({"type": "attention", "query": "self-attention",
                           "heads": {"type": "differential", "count": 2}})");
  json["parameters"]["heads.W_Q"] = filled({2, 6, 3}, 1);
  CHECK(std::string(refused(json).what()).find("[2 6 2p]") != std::string::npos);
}

TEST_CASE("layers count from 0") {
  for (const int layer : {4, 5}) {
    Json json = document(
        R"({"type": "attention", "query": "self-attention", "core": {"type": "lightning", "layers": 4}})");
    json["mechanism"]["core"]["layer"] = layer;
    const Error error = refused(json);
    CHECK(error.path == "/mechanism/core/layer");
    CHECK(std::string(error.what()).find("at most 3") != std::string::npos);
  }
}

TEST_CASE(
    "a scan inside of chunks goes into a module, and a default that counts rows fixes their number") {
  const auto code = [](const Json& json) {
    return export_module(json.dump(), worded_heading).code;
  };
  CHECK(
      code(
          document(
              R"({"type": "attention", "query": "self-attention", "core": {"type": "mamba", "chunk": 4}})",
              7))
          .find("class Model") != std::string::npos);
  const auto fixes = [&](const char* core) {
    return code(document(core, 7)).find("the default of 'M' depends on the length") !=
           std::string::npos;
  };
  CHECK(fixes(R"({"type": "attention", "query": "self-attention", "core": "cosformer"})"));
  CHECK(!fixes(
      R"({"type": "attention", "query": "self-attention", "core": {"type": "cosformer", "M": 9}})"));
}

}  // namespace
}  // namespace attend::testing::meetings_test
