// SPDX-License-Identifier: Apache-2.0
// Keys and values of distances: the kernel gives the context and the gradients of the formula, whatever the sizes,
// heads, masks, alignments and examples, and holds no map.
#include "tests/experiment/attended.h"
#include "tests/rows/masks.h"

namespace attend::testing::relative_test {
namespace {

Json parsed(const char* text) { return Json::parse(text); }

// Positions whose scores are a product with a row of the distance.
std::vector<Json> every_position() {
  return {parsed(R"({"type": "pos-relative-shaw", "k": 0})"),
          parsed(R"({"type": "pos-relative-shaw", "k": 3, "value": false})"),
          parsed(R"({"type": "pos-relative-shaw", "k": 16})"), "pos-relative-xl",
          "pos-relative-music"};
}

Json with_position(const Json& position, std::size_t m, std::size_t n) {
  Json document = masked(Json::array(), m, n);
  document["mechanism"].erase("mask");
  document["mechanism"]["score"] = "scaled-dot";
  document["mechanism"]["position"] = Json::array({position});
  return document;
}

// How many of these documents the kernel with relative rows takes.
struct Counted {
  std::size_t documents = 0, taken = 0;

  void check(const Json& document, std::size_t examples = 0) {
    CAPTURE(document["mechanism"].dump());
    const auto fast = check_fast_form(document, examples);
    if (!fast) return;
    ++documents;
    taken += fast->relative ? 1 : 0;
  }
};

constexpr std::array sizes{std::pair{1UL, 1UL},    std::pair{2UL, 2UL},   std::pair{3UL, 5UL},
                           std::pair{7UL, 11UL},   std::pair{37UL, 23UL}, std::pair{23UL, 61UL},
                           std::pair{131UL, 127UL}};

}  // namespace

TEST_CASE("relative rows in the kernel are those of the formula, at odd sizes, heads and masks") {
  const std::vector<Json> heads{nullptr,
                                {{"type", "multi-head"}, {"count", 3}},
                                {{"type", "grouped-query"}, {"count", 6}, {"groups", 2}}};
  Counted counted;
  for (const Json& position : every_position()) {
    for (const auto& [m, n] : sizes) {
      CAPTURE(m);
      CAPTURE(n);
      Json document = with_position(position, m, n);
      counted.check(document);
      for (const Json& one : heads) {
        if (one.is_null()) continue;
        document["mechanism"]["heads"] = one;
        if (m < 30) counted.check(document);
      }
      document = with_position(position, m, n);
      for (const char* mask : {R"(["mask-causal"])", R"([{"type": "mask-window", "window": 3}])",
                               R"([{"type": "mask-padding", "length": 9}])",
                               R"([{"type": "mask-sparse-strided", "l": 3}])",
                               R"(["mask-causal", {"type": "mask-padding", "length": 9}])"}) {
        document["mechanism"]["mask"] = parsed(mask);
        counted.check(document);
      }
    }
  }
  CAPTURE(counted.documents);
  CHECK(counted.documents > 150);
  CHECK(counted.taken > counted.documents * 3 / 4);
}

TEST_CASE("relative rows in the kernel go with sinks, caps and other terms of the scores") {
  Counted counted;
  for (const Json& position : every_position()) {
    for (const auto& [m, n] : {std::pair{7UL, 5UL}, std::pair{37UL, 41UL}}) {
      Json document = with_position(position, m, n);
      for (const char* alignment : {"learned-sink", "softmax-one", "soft-cap", "scalable-softmax",
                                    "softmax-temperature", "sparsemax"}) {
        document["mechanism"]["alignment"] = alignment;
        counted.check(document);
      }
      document["mechanism"].erase("alignment");
      for (const char* other : {"pos-alibi", "pos-t5-bias", "pos-rope"}) {
        document["mechanism"]["position"] = Json::array({position, other});
        counted.check(document);
        document["mechanism"]["position"] = Json::array({other, position});
        counted.check(document);
      }
    }
  }
  CAPTURE(counted.documents);
  CHECK(counted.documents > 80);
  CHECK(counted.taken > 40);
}

TEST_CASE("relative rows in the kernel are those of each example of a batch") {
  Counted counted;
  for (const Json& position : every_position()) {
    for (const Json& heads : {Json(nullptr), Json{{"type", "multi-head"}, {"count", 2}}}) {
      Json document = with_position(position, 13, 13);
      if (!heads.is_null()) document["mechanism"]["heads"] = heads;
      for (const char* mask :
           {R"([])", R"(["mask-causal"])", R"([{"type": "mask-padding", "length": 9}])"}) {
        document["mechanism"]["mask"] = parsed(mask);
        counted.check(document, 3);
      }
    }
  }
  CHECK(counted.taken == 30);
}

TEST_CASE("relative rows that an intervention changes are not those of the kernel") {
  Json document = with_position("pos-relative-music", 70, 70);
  const Ran before = run_json(document);
  document["interventions"] = Json::array({{{"type", "scale"}, {"of", "S_{rel}"}, {"value", 20}}});
  Json alone = document;
  alone["outputs"] = {"context"};
  const Ran whole = run_json(document), fast = run_json(alone);
  CHECK(distance(whole.outputs.at("context"), before.outputs.at("context")) > 1e-3);
  CHECK(distance(fast.outputs.at("context"), whole.outputs.at("context")) < 10 * tolerance);
}

TEST_CASE("relative rows in the kernel hold no map") {
  for (const Json& position : every_position()) {
    CAPTURE(position.dump());
    const auto fast = check_fast_form(with_position(position, 301, 301));
    REQUIRE(fast);
    CHECK(fast->relative);
    CHECK(fast->largest < 301 * 40);
  }
}

}  // namespace attend::testing::relative_test
