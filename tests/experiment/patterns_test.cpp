// SPDX-License-Identifier: Apache-2.0
// Cores of a local or sparse pattern, asked for their context alone: by the kernels of the pattern, in time that
// grows with the pairs that it has.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/running/run.h"
#include "experiment/running/write.h"
#include "tests/experiment/harness.h"

namespace attend::testing::patterns_test {
namespace {

Json document(const Json& core, std::size_t n, std::size_t heads = 1) {
  Json json{{"schema", "attention-playground/1"},
            {"outputs", {"context"}},
            {"mechanism", {{"type", "attention"}, {"core", core}}}};
  // These are modules of their own.
  if (core["type"] == "image-transformer" || core["type"] == "transformer-ls")
    json["mechanism"] = core;
  for (const char* role : {"query", "key", "value"}) {
    Array rows({n, 4 * heads});
    for (std::size_t i = 0; i < rows.data.size(); ++i)
      rows.data[i] = std::sin(static_cast<double>(i * 7 + i % 13) * .61 + role[0]);
    json["inputs"][role] = to_json(rows);
  }
  return json;
}

Json told(const Json& document) {
  return Json::parse(write_result(run(compile(read_document(document)), Detail::outputs)));
}

const Json strided{{"type", "sparse-strided"}, {"l", 8}};
const Json fixed{{"type", "sparse-fixed"}, {"l", 8}, {"c", 2}};
const Json near_far{{"type", "fmmformer"}, {"band", 5}};
const Json recent{{"type", "image-transformer"}, {"l_q", 8}, {"l_m", 5}};
const Json long_short{{"type", "transformer-ls"}, {"window", 3}, {"rank", 2}, {"layernorm", false}};

Json with_part(Json core, const char* part) {
  core["part"] = part;
  return core;
}

std::vector<Json> patterns() {
  return {strided,
          with_part(strided, "first"),
          with_part(strided, "second"),
          fixed,
          with_part(fixed, "first"),
          with_part(fixed, "second"),
          near_far,
          recent,
          long_short};
}

// Whose pairs are data: counted as if there were all, unless they are listed by row.
std::vector<Json> drawn() {
  std::vector<Json> list;
  for (const bool causal : {false, true}) {
    for (const int block : {1, 4}) {
      list.push_back({{"type", "bigbird"},
                      {"window", 2 - block / 4},
                      {"global", block / 2},
                      {"block", block},
                      {"causal", causal}});
      list.push_back(list.back());
      list.back()["random"] = block;  // drawn, not given
    }
  }
  return list;
}

// A span for all rows, or one each; the second with a ramp that reaches over everything.
std::vector<Json> spans() {
  std::vector<Json> list;
  for (const char* type : {"adaptive-span", "dynamic-span"}) {
    for (const bool causal : {false, true}) {
      for (const double ramp : {3.5, 200.})
        list.push_back({{"type", type}, {"R", ramp}, {"causal", causal}});
    }
  }
  return list;
}

std::vector<Json> patterns_and_spans() {
  std::vector<Json> list = patterns();
  for (const std::vector<Json>& more : {spans(), drawn()})
    list.insert(list.end(), more.begin(), more.end());
  return list;
}

}  // namespace

TEST_CASE("a pattern's context alone is the context beside the map, with its gradients") {
  for (const Json& core : patterns_and_spans()) {
    CAPTURE(core.dump());
    Json alone = document(core, 90);
    if (core["type"] == "adaptive-span") alone["parameters"]["structure.z"] = 4.25;
    if (core["type"] == "bigbird" && !core.contains("random")) {
      Array few({90, 90});  // one key in thirty
      for (std::size_t i = 0; i < few.data.size(); ++i) few.data[i] = i * i % 31 == 5 ? 1 : 0;
      alone["parameters"]["structure.random"] = to_json(few);
    }
    alone["gradient"] = {{"of", "context"}};
    Json beside = alone;
    beside["outputs"] = {"context", "weights"};
    const Compiled compiled = compile(read_document(alone));
    CHECK(run(compiled, Detail::outputs).fused >= 1);  // fmmformer also has a far field
    const Ran fast = run_json(alone), plain = run_json(beside);
    CHECK(distance(fast.outputs.at("context"), plain.outputs.at("context")) < 10 * tolerance);
    REQUIRE(fast.gradients.size() == plain.gradients.size());
    for (const auto& [name, array] : plain.gradients)
      CHECK_MESSAGE(distance(fast.gradients.at(name), array) < 100 * tolerance, name);
  }
}

TEST_CASE("a pattern's cost counts the pairs that it has, beside its map too") {
  for (const Json& core : patterns()) {
    CAPTURE(core.dump());
    const Json half = told(document(core, 400))["cost"], whole = told(document(core, 800))["cost"];
    const double ratio = whole["exponentials"].get<double>() / half["exponentials"].get<double>();
    // A summary key in every block, or every l-th key: n^2 / 2l of them.
    const bool all_before = core["type"].get<std::string>().rfind("sparse-", 0) == 0 &&
                            core.value("part", "both") != "first";
    CHECK(ratio < (all_before ? 4.1 : 2.05));
    CHECK(whole["exponentials"] < 800 * 800 / (all_before ? 3 : 10));
    Json beside = document(core, 800);
    beside["outputs"] = {"context", "weights"};
    CHECK(told(beside)["cost"]["context"] == whole["context"]);
    CHECK(whole["context"]["exponentials"] == whole["exponentials"]);
  }
  Json by_row = {{"type", "bigbird"}, {"window", 1}, {"global", 1}, {"random", 2}};
  const auto listed = [&](std::size_t n) { return told(document(by_row, n))["cost"]; };
  for (const char* count : {"exponentials", "bytes"})
    CHECK(listed(1600)[count] < 2.05 * listed(800)[count].get<double>());
  CHECK(listed(1600)["exponentials"] < 1600 * (64 * 2 + 64 + 2 + 1600 / 25 + 1));
  by_row["random"] = 0;
  CHECK(listed(400)["exact"] == true);
  Json growing = strided;  // l is the root of n where nobody gives it
  growing.erase("l");
  const auto pairs = [&](std::size_t n) {
    return told(document(growing, n))["cost"]["exponentials"].get<double>();
  };
  CHECK(pairs(1600) / pairs(400) < 8.2);  // n times its root
}

TEST_CASE("FlashAttention's context alone is computed by the kernel of softmax attention") {
  for (const bool causal : {false, true}) {
    Json block = document({{"type", "flash"}, {"block", 16}, {"causal", causal}}, 90);
    block["gradient"] = {{"of", "context"}};
    Json beside = block;
    beside["mechanism"].erase("core");
    beside["mechanism"]["score"] = "scaled-dot";
    if (causal) beside["mechanism"]["mask"] = {"mask-causal"};
    beside["outputs"] = {"context", "weights"};
    CHECK(run(compile(read_document(block)), Detail::outputs).fused == 1);
    const Ran fast = run_json(block), plain = run_json(beside);
    CHECK(distance(fast.outputs.at("context"), plain.outputs.at("context")) < tolerance);
    for (const auto& [name, array] : plain.gradients)
      CHECK_MESSAGE(distance(fast.gradients.at(name), array) < 10 * tolerance, name);
  }
  Json plain = document({{"type", "flash"}}, 800);
  CHECK(told(plain)["cost"]["bytes"] < 800 * 16 * 4 * 10);
}

TEST_CASE("spans of several heads, one each, are those beside the map") {
  for (const Json& core : spans()) {
    CAPTURE(core.dump());
    Json alone = document(core, 50, 2);
    alone["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
    if (core["type"] == "adaptive-span") alone["parameters"]["structure.z"] = {2.5, 17.25};
    alone["gradient"] = {{"of", "context"}};
    Json beside = alone;
    beside["outputs"] = {"context", "weights"};
    CHECK(run(compile(read_document(alone)), Detail::outputs).fused == 1);
    const Ran fast = run_json(alone), plain = run_json(beside);
    CHECK(distance(fast.outputs.at("context"), plain.outputs.at("context")) < 10 * tolerance);
    for (const auto& [name, array] : plain.gradients)
      CHECK_MESSAGE(distance(fast.gradients.at(name), array) < 100 * tolerance, name);
  }
}

TEST_CASE("what a span leaves out costs no time and no room at 16384 tokens") {
  for (const char* type : {"adaptive-span", "dynamic-span"}) {
    const Json core{{"type", type}, {"R", 8}, {"causal", true}};
    Json json = document(core, 16384);
    if (*type == 'd') json["mechanism"]["core"]["S"] = 16;
    const Compiled compiled = compile(read_document(json));
    const Result result = run(compiled, Detail::outputs);
    CHECK(result.fused == 1);
    // All pairs are what a count without the data can promise.
    CHECK(!told(json)["cost"].value("exact", true));
  }
}

TEST_CASE("linear attention counts no pairs, causal or not") {
  for (const bool causal : {false, true}) {
    const Json core{{"type", "linear"}, {"causal", causal}};
    const auto steps = [&](std::size_t n) {
      return told(document(core, n))["cost"]["multiply_adds"].get<double>();
    };
    CHECK(steps(2048) / steps(1024) < 2.05);
    CHECK(steps(2048) < 2048. * 2048);
  }
}

}  // namespace attend::testing::patterns_test
