// SPDX-License-Identifier: Apache-2.0
// What must be kept to write the next word: against counts by hand, and against what the steps of a program carry.
#include "experiment/learning/kept.h"

#include <doctest/doctest.h>
#include <map>

#include "experiment/describing/systems.h"
#include "experiment/learning/stepwise.h"
#include "experiment/service.h"
#include "ops/error.h"
#include "tests/each.h"
#include "tests/experiment/harness.h"

namespace attend::testing::kept_test {
namespace {

Json attention(const std::string& mechanism, std::size_t words) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3,
    "inputs": {"x": {"features": {"type": "embedding", "dim": 12}}}})");
  for (std::size_t t = 0; t < words; ++t)
    json["inputs"]["x"]["tokens"].push_back("w" + std::to_string(t));
  json["mechanism"] = parse_json(mechanism);
  return json;
}

std::vector<std::size_t> numbers(const Json& document, const std::string& over = "") {
  return parse_json(kept_text(document.dump(), over))["numbers"];
}

// After each of so many words: `each` numbers for every word that is held.
std::vector<std::size_t> growing(std::size_t words, std::size_t each, std::size_t most = 1000) {
  std::vector<std::size_t> list;
  for (std::size_t t = 1; t <= words; ++t) list.push_back(each * std::min(t, most));
  return list;
}

std::string self(const std::string& more) {
  return R"({"type": "attention", "query": "self-attention", )" + more + "}";
}

Json system(const std::string& id, std::size_t words) {
  Json document = parse_json(document_of(id));
  const Json tokens = document["inputs"]["source"]["tokens"];
  Json& longer = document["inputs"]["source"]["tokens"] = Json::array();
  for (std::size_t t = 0; t < words; ++t) longer.push_back(tokens[t % tokens.size()]);
  return document;
}

Mechanisms cores_with_a_state() {
  Mechanisms list = of_kind(Kind::core);
  std::erase_if(list, [](const Mechanism* core) {
    if (!std::get<Core>(core->behaviour).always_causal) return true;
    const Json document = attention(self(R"("core": ")" + std::string(core->id) + "\""), 6);
    return !run_json(document).outputs.contains("state");
  });
  return list;
}

const Each every_state(
    "says how many numbers it keeps: its state, however many words there are and whatever computes it",
    cores_with_a_state, [](const Mechanism& core) {
      // So many words that cores with chunks compute in chunks what they do not have to compute row by row.
      Json document = attention(self(R"("core": ")" + std::string(core.id) + "\""), 70);
      for (const Knob& knob : core.knobs) {
        if (knob.name == "steps") document["mechanism"]["core"] = {{"type", core.id}, {"steps", 1}};
      }
      const Json kept = parse_json(kept_text(document.dump(), ""));
      const std::vector<std::size_t> all = kept["numbers"];
      REQUIRE(all.size() == 70);
      document["outputs"] = {"state"};
      CHECK(all.front() >= run_json(document).outputs.at("state").data.size());
      for (std::size_t t = 0; t < all.size(); ++t) {
        CHECK(all[t] == all.front());
        CHECK(kept["bytes"][t] == all[t] * sizeof(real));
      }
    });

}  // namespace

TEST_CASE(
    "softmax keeps the keys and values of every word, and heads that share keys keep them once") {
  const std::string causal = R"("mask": ["mask-causal"])";
  CHECK(numbers(attention(self(causal), 9)) == growing(9, 2 * 12));
  CHECK(numbers(attention(self(causal + R"(, "heads": {"type": "multi-head", "count": 4})"), 9)) ==
        growing(9, 2 * 12));
  CHECK(numbers(attention(
            self(causal + R"(, "heads": {"type": "grouped-query", "count": 4, "groups": 2})"),
            9)) == growing(9, 12));
  CHECK(numbers(attention(self(causal + R"(, "heads": {"type": "multi-query", "count": 4})"), 9)) ==
        growing(9, 6));
}

TEST_CASE("a window keeps the words that it still sees, and sinks keep theirs") {
  CHECK(numbers(attention(self(R"("mask": [{"type": "mask-sliding", "window": 3}])"), 10)) ==
        growing(10, 24, 3));
  CHECK(numbers(attention(
            self(R"("mask": [{"type": "mask-sink-window", "sinks": 2, "window": 3}])"), 12)) ==
        growing(12, 24, 5));
  CHECK(numbers(attention(self(R"("mask": ["mask-causal", {"type": "mask-window", "window": 2}])"),
                          10)) == growing(10, 24, 3));
  // Whatever aligns the scores, also beside a sink.
  for (const char* alignment : {"softmax-one", "learned-sink", "sparsemax", "soft-cap"})
    CHECK(numbers(
              attention(self(R"("mask": [{"type": "mask-sliding", "window": 3}], "alignment": ")" +
                             std::string(alignment) + "\""),
                        10)) == growing(10, 24, 3));
}

TEST_CASE("latent heads keep latent rows, not the keys and values that are made of them") {
  const Json document = attention(
      self(
          R"("mask": ["mask-causal"], "heads": {"type": "mla", "count": 4, "rank": 5, "rope_width": 2})"),
      9);
  CHECK(numbers(document) == growing(9, 5 + 2));
  const Json answer = parse_json(kept_text(document.dump(), ""));
  std::map<std::string, std::size_t> kept;
  for (const Json& one : answer["tensors"]) kept[one["name"]] = one["numbers"];
  CHECK(kept == std::map<std::string, std::size_t>{{"latent", 5}, {"latent_key", 2}});
}

TEST_CASE("a recurrent core keeps its state, however many words there are") {
  for (const char* core :
       {"retention", "gla", "deltanet", "gated-deltanet", "kda", "mamba-2", "rwkv-7"}) {
    CAPTURE(core);
    const Json document = attention(self(R"("core": ")" + std::string(core) + "\""), 9);
    CHECK(numbers(document) == std::vector<std::size_t>(9, 12 * 12));
  }
}

TEST_CASE("a core that computes chunks of rows keeps the same state beyond its first chunk") {
  for (const char* core : {"retention", "simple-gla", "lightning", "mamba-2"}) {
    CAPTURE(core);
    const Json plain = attention(self(R"("core": ")" + std::string(core) + "\""), 70);
    CHECK(numbers(plain) == std::vector<std::size_t>(70, 12 * 12));
    const Json cut =
        attention(self(R"("core": {"type": ")" + std::string(core) + R"(", "chunk": 4})"), 9);
    CHECK(numbers(cut) == std::vector<std::size_t>(9, 12 * 12));
  }
  // In four heads of a mixer, with the rows of its convolution.
  CHECK(numbers(system("mamba-2", 70), "source") ==
        std::vector<std::size_t>(70, numbers(system("mamba-2", 9), "source").back()));
}

TEST_CASE("each row that a convolution keeps says how far back it is and what it is for") {
  const Json kept = parse_json(kept_text(system("mamba-2", 9).dump(), "source"));
  std::map<std::string, std::vector<std::size_t>> rows;
  for (const Json& one : kept["tensors"]) {
    CAPTURE(one.dump());
    if (one["module"] != "mixer-1") continue;
    if (one["name"] == "S_t")
      CHECK_FALSE(one.contains("back"));
    else
      rows[one.at("for")].push_back(one.at("back"));
  }
  // A kernel of four rows reads three earlier ones, for each of the three projections.
  const std::vector<std::size_t> three{1, 2, 3};
  CHECK(rows ==
        std::map<std::string, std::vector<std::size_t>>{{"K", three}, {"Q", three}, {"V", three}});
}

TEST_CASE("what grows without a name says which named tensor it is made of") {
  // Rotated keys and projected ones have no name of their own; values and latent rows have one.
  const auto from = [](const Json& document, const std::string& over) {
    std::map<std::string, std::size_t> found;
    const Json answer = parse_json(kept_text(document.dump(), over));
    for (const Json& one : answer["tensors"]) {
      CHECK(one.contains("from") == one["name"].get<std::string>().empty());
      if (one.contains("from")) ++found[one["from"]];
    }
    return found;
  };
  CHECK(from(system("llama", 8), "source") ==
        std::map<std::string, std::size_t>{{"K\\;(\\text{attention})", 2}});
  CHECK(from(system("deepseek-v2", 8), "source").empty());
}

TEST_CASE("systems of today keep what their papers say") {
  // Two layers of two key heads, 8 wide; windows of 4 words; latent rows of 12 and 4; states of 8 x 8 in four heads.
  CHECK(numbers(system("llama", 12), "source") == growing(12, 2 * 2 * 2 * 8));
  CHECK(numbers(system("mistral", 12), "source") == growing(12, 2 * 2 * 2 * 8, 4));
  CHECK(numbers(system("falcon", 12), "source") == growing(12, 2 * 2 * 8));
  CHECK(numbers(system("deepseek-v2", 12), "source") == growing(12, 2 * (12 + 4)));
  CHECK(numbers(system("retnet", 12), "source") == std::vector<std::size_t>(12, 2 * 4 * 8 * 8));
  std::vector<std::size_t> every_other = growing(12, 32);
  for (std::size_t t = 0; t < 12; ++t) every_other[t] += 32 * std::min<std::size_t>(t + 1, 4);
  CHECK(numbers(system("gpt-oss", 12), "source") == every_other);
}

TEST_CASE("systems of today run one row at a time, with convolutions, token shifts and sinks") {
  for (const char* id : {"gpt-oss", "mamba-2", "rwkv-7", "qwen3-next", "kimi-linear"}) {
    CAPTURE(id);
    Json document = system(id, 9);
    document["outputs"] = {"norm.output"};
    const Json steps = parse_json(stepwise_text(document.dump(), "source"));
    const Json whole = parse_json(run_document(document.dump()))["outputs"]["norm.output"]["data"];
    const Json rows = steps["outputs"]["norm.output"]["data"];
    REQUIRE(rows.size() == whole.size());
    for (std::size_t k = 0; k < rows.size(); ++k)
      CHECK(rows[k].get<double>() == doctest::Approx(whole[k].get<double>()).epsilon(1e-3));
  }
}

TEST_CASE("each kept tensor says how many rows are held, and bytes are those of its numbers") {
  const Json document =
      attention(self(R"("mask": [{"type": "mask-sink-window", "sinks": 1, "window": 2}])"), 8);
  const Json kept = parse_json(kept_text(document.dump(), ""));
  CHECK(kept["until"] == "context");
  for (const Json& one : kept["tensors"])
    CHECK(one["rows"] == Json(std::vector<std::size_t>{1, 2, 3, 3, 3, 3, 3, 3}));
  const std::vector<std::size_t> numbers = kept["numbers"], bytes = kept["bytes"];
  for (std::size_t t = 0; t < numbers.size(); ++t) CHECK(bytes[t] == numbers[t] * sizeof(real));
}

TEST_CASE("a program whose words see later ones keeps nothing, and the error says why") {
  try {
    (void)numbers(attention(self(R"("alignment": "softmax")"), 5));
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.path == "/mechanism");
    CHECK(std::string(error.what()).find("causal mask") != std::string::npos);
  }
}

}  // namespace attend::testing::kept_test
