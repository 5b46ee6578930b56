// SPDX-License-Identifier: Apache-2.0
// A decoder that asks with the state after its step, without input feeding, has states that no attention changes: so
// attention asked with all of them at once, row by row, must see what the decoder sees step by step.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/service.h"
#include "experiment/text/json_parse.h"
#include "ops/error.h"

namespace attend::decoder_attention_test {
namespace {

#ifdef ATTEND_DOUBLE
constexpr double tolerance = 1e-12;
#else
constexpr double tolerance = 2e-5;
#endif

Json decoder_document(const Json& attention) {
  Json module{{"name", "d"},
              {"type", "om-decoder"},
              {"asks", "after"},
              {"hidden", 5},
              {"dim", 4},
              {"inputs", {{"memory", "memory"}, {"target", "target"}}},
              {"attention", attention},
              {"vocabulary", {"<start>", "<end>", "<unknown>", "a", "b", "c"}}};
  return {{"schema", "attention-playground/1"},
          {"seed", 3},
          {"inputs",
           {{"memory",
             {{"tokens", {"u", "v", "w", "x", "y", "z", "q"}},
              {"features", {{"type", "embedding"}, {"dim", 5}}}}},
            {"target",
             {{"tokens", {"a", "c", "b", "a", "<end>"}},
              {"features", {{"type", "embedding"}, {"dim", 4}}}}}}},
          {"model", Json::array({module})}};
}

// The same attention over the decoder's states, with the same parameters.
Json rows_document(const Json& attention, const Json& decoded, const Json& memory) {
  Json whole = attention;
  whole["type"] = "attention";
  Json parameters = Json::object();
  for (const auto& [name, value] : decoded["parameters"].items()) {
    const std::string front = "d.attention.";
    // Of a core by itself they are those of the module.
    const std::string own = attention.contains("core") ? "structure." : "";
    if (name.starts_with(front)) parameters[own + name.substr(front.size())] = value;
  }
  return {
      {"schema", "attention-playground/1"},
      {"seed", 3},
      {"inputs", {{"query", decoded["outputs"]["d.states"]}, {"key", memory}, {"value", memory}}},
      {"mechanism", whole},
      {"parameters", parameters}};
}

void check_same(const Json& attention) {
  CAPTURE(attention.dump());
  const Json document = decoder_document(attention);
  const Json decoded = Json::parse(run_document(document.dump()));
  const Json memory = document["inputs"]["memory"];
  const Json rows = Json::parse(run_document(rows_document(attention, decoded, memory).dump()));
  for (const char* name : {"weights", "context"}) {
    CAPTURE(name);
    const Json &a = decoded["outputs"][std::string("d.") + name], &b = rows["outputs"][name];
    REQUIRE(a["shape"] == b["shape"]);
    for (std::size_t i = 0; i < a["data"].size(); ++i) {
      CAPTURE(i);
      const double x = a["data"][i].get<double>(), y = b["data"][i].get<double>();
      CHECK(std::abs(x - y) <= tolerance * (1 + std::abs(y)));
    }
  }
}

TEST_CASE("in a decoder attention remembers the steps before, as over rows") {
  for (const char* score : {"location-aware", "coverage-linguistic", "coverage-subsymbolic"})
    check_same({{"score", {{"type", score}}}});
  for (const char* alignment :
       {"local-monotonic", "adaptive-temperature", "constrained-softmax", "constrained-sparsemax"})
    check_same({{"score", {{"type", "additive"}}}, {"alignment", {{"type", alignment}}}});
  check_same(
      {{"score", {{"type", "location-aware"}}}, {"alignment", {{"type", "local-monotonic"}}}});
}

TEST_CASE("in a decoder cores that go by the place of a row go by the step, as over rows") {
  for (const char* core :
       {"moba", "dsa", "quest", "flash", "sparse-strided", "sparse-fixed", "cosformer", "linear"}) {
    Json choice{{"type", core}};
    const std::string id = core;
    if (id == "flash" || id == "cosformer" || id == "linear") choice["causal"] = true;
    check_same({{"core", choice}});
  }
}

TEST_CASE("what is recorded inside of a step, to know a width, warns of nothing") {
  Json document =
      decoder_document({{"score", "additive"}, {"alignment", {{"type", "constrained-sparsemax"}}}});
  document["model"][0]["input-feeding"] = true;
  CHECK(Json::parse(run_document(document.dump()))["warnings"].empty());
}

TEST_CASE("in a decoder masks and positions count its steps, as over rows") {
  for (const char* mask : {"mask-causal", "mask-window", "mask-diagonal"})
    check_same({{"score", "additive"}, {"mask", Json::array({mask})}});
  for (const char* variant : {"a", "b"})
    check_same({{"score", "additive"},
                {"mask", {{{"type", "mask-multiply-zero"}, {"variant", variant}}}}});
}

// Five steps that look at seven keys: one row of numbers a step, of which only the third says something.
Json third_row(const char* type, const char* knob, double usual, double other) {
  Json rows = Json::array();
  for (int t = 0; t < 5; ++t) {
    rows.push_back(Json::array());
    for (int j = 0; j < 7; ++j) rows.back().push_back(t == 2 && j != 3 ? other : usual);
  }
  return Json::array({{{"type", type}, {knob, rows}}});
}

TEST_CASE("in a decoder a mask that is given has a row for each step, as over rows") {
  check_same({{"score", "additive"}, {"mask", third_row("mask-explicit", "allowed", 1, 0)}});
  check_same(
      {{"score", "additive"}, {"mask", third_row("positional-mask-energy", "values", 0, -3)}});
}

TEST_CASE(
    "energies for one step of a decoder leave the steps before as they were, and move it and what follows") {
  for (const char* asks : {"before", "after"}) {
    CAPTURE(asks);
    Json document = decoder_document({{"score", "additive"}});
    document["model"][0]["asks"] = asks;
    document["model"][0]["input-feeding"] = asks == std::string("after");
    const Json usual = Json::parse(run_document(document.dump()));
    document["model"][0]["attention"]["mask"] =
        third_row("positional-mask-energy", "values", 0, -30);
    const Json moved = Json::parse(run_document(document.dump()));
    const auto distance = [&](const char* name, std::size_t row) {
      const Json &a = usual["outputs"][name], &b = moved["outputs"][name];
      const std::size_t width = a["shape"][1];
      double most = 0;
      for (std::size_t i = row * width; i < (row + 1) * width; ++i)
        most = std::max(most, std::abs(a["data"][i].get<double>() - b["data"][i].get<double>()));
      return most;
    };
    for (const char* name : {"d.weights", "d.states", "d.logits"}) {
      CAPTURE(name);
      CHECK(distance(name, 0) == 0);
      CHECK(distance(name, 1) == 0);
      CHECK(distance(name, 3) > 1e-6);  // the state that asks has read another context
    }
    CHECK(distance("d.weights", 2) > .1);
    CHECK(moved["outputs"]["d.weights"]["data"][2 * 7 + 3].get<double>() > .999);
  }
}

TEST_CASE(
    "an alignment that weighs all rows together is refused in a decoder, which makes one at a time") {
  try {
    run_document(
        decoder_document({{"score", "additive"}, {"alignment", {{"type", "sinkhorn-normalise"}}}})
            .dump());
    FAIL("it was taken");
  } catch (const Error& error) {
    CHECK(error.path == "/model/0/attention/alignment");
    CHECK(std::string(error.what()).find("one after another") != std::string::npos);
  }
}

}  // namespace
}  // namespace attend::decoder_attention_test
