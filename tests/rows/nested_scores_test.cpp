// SPDX-License-Identifier: Apache-2.0
// What the catalogue says of convolutions, of scores inside scores and of alignment under a mask.
#include <cmath>

#include "tests/each.h"
#include "tests/rows/slot_tables.h"

namespace attend::testing::nested_scores_test {

using namespace slot_tables;

TEST_CASE("convolution-based: one token wide it is a self-additive score of one unit") {
  const Array f = random({1, 5}, "f"), bias({1}, 0.3);
  Array column({5, 1});
  column.data = f.data;
  const Json conv{{"type", "convolution-based"}, {"l", 1}};
  equal(document(conv, {{"score.w", f}, {"score.b", bias}}),
        document("self-additive",
                 {{"score.W", column}, {"score.b", bias}, {"score.w", Array({1}, 1)}}));
}

TEST_CASE("convolution-based: constant inside a constant sequence, equivariant to a shift, edges") {
  const Array f = random({1, 15}, "f");
  for (const char* edge : {"drop", "zero"}) {
    Json conv = document({{"type", "convolution-based"}, {"edge", edge}}, {{"score.w", f}});
    Array longer({9, 5});
    for (std::size_t i = 0; i < 45; ++i) longer.data[i] = k.data[i % 5];
    conv["inputs"]["key"] = conv["inputs"]["value"] = to_json(longer);
    const Array constant = run_json(conv).outputs.at("scores");
    for (std::size_t j = 3; j < 7; ++j) CHECK(constant(0, j) == doctest::Approx(constant(0, 2)));
    const double first = constant(0, 0) / constant(0, 2);
    CHECK(first == doctest::Approx(std::string(edge) == "drop" ? 1 : 1.0 / 3));
    const Array tokens = random({10, 5}, "tokens");
    const auto scores_from = [&](std::size_t start) {
      for (std::size_t i = 0; i < 45; ++i) longer.data[i] = tokens.data[5 * start + i];
      conv["inputs"]["key"] = to_json(longer);
      return run_json(conv).outputs.at("scores");
    };
    const Array here = scores_from(0), there = scores_from(1);
    for (std::size_t j = 3; j < 7; ++j) CHECK(there(2, j - 1) == doctest::Approx(here(2, j)));
    conv["inputs"]["key"] = to_json(random({2, 5}, "short"));  // no window fits
    conv["inputs"]["value"] = to_json(random({2, 5}, "short"));
    same(run_json(conv).outputs.at("scores"), Array({4, 2}));
    same(run_json(conv).outputs.at("weights"), Array({4, 2}, 0.5));
  }
}

TEST_CASE("conv-multi-scores: each filter is a convolution-based score of its own") {
  const Array f = random({3, 10}, "f"), bias = random({3}, "bias");
  const Json conv = {{"type", "convolution-based"}};
  const Given given{{"score.w", f}, {"score.b", bias}};
  const Json many = document(conv, given, {{"heads", "conv-multi-scores"}});
  const Ran ran = run_json(many);
  CHECK(ran.outputs.at("scores").shape == Shape{3, 5});
  CHECK(ran.outputs.at("context").shape == Shape{3, 3});
  CHECK_FALSE(ran.outputs.contains("query"));
  CHECK(std::get<double>(ran.knobs.at("/mechanism/heads").at("filters")) == 3);
  equal(many, document(conv, given));
  for (std::size_t t = 0; t < 3; ++t) {
    Array one({1, 10}), own({1}, bias(t));
    one.data = f.row(t);
    for (const Json& heads : {Json(), Json("conv-multi-scores")}) {
      const Ran alone =
          run_json(document(conv, {{"score.w", one}, {"score.b", own}}, {{"heads", heads}}));
      CHECK(alone.outputs.at("scores").shape == Shape{4, 5});
      for (const char* name : {"scores", "weights", "context"})
        CHECK(alone.outputs.at(name).row(3) == ran.outputs.at(name).row(t));
    }
  }
  const auto sized = [&](const Json& score, const Json& heads) {
    return run_json(document(score, {}, {{"heads", heads}})).parameters.at("score.w").shape;
  };
  const Json heads{{"type", "conv-multi-scores"}, {"filters", 2}};
  CHECK(sized({{"type", "convolution-based"}, {"l", 2}}, heads) == Shape{2, 10});
  CHECK(sized({{"type", "convolution-based"}, {"filters", 2}}, heads) == Shape{2, 15});
  CHECK_THROWS_AS(sized({{"type", "convolution-based"}, {"filters", 3}}, heads), Error);
  CHECK_THROWS_AS(sized("dot", heads), Error);
  CHECK_THROWS_AS((void)run_json(document(conv, given, {{"heads", heads}})), Error);
}

const Each importance_of_all(
    "under importance-as-query: the same vector in every row is a learned one", alignments,
    [](const Mechanism& alignment) {
      Array rows({4, 4});
      for (std::size_t i = 0; i < 16; ++i) rows.data[i] = w.data[i % 4];
      Array one({1, 4});
      one.data = w.data;
      const Json members{{"alignment", std::string(alignment.id)}, {"mask", "mask-causal"}};
      const Json learned = additive(b, members);
      for (const Array& importance : {rows, one}) {
        Json given = learned;
        given["mechanism"]["score"] = "importance-as-query";
        given["inputs"]["importance"] = to_json(importance);
        for (const char* name : {"W1", "W2", "b"})
          given["parameters"]["score.base." + std::string(name)] =
              learned["parameters"]["score." + std::string(name)];
        for (const char* name : {"W1", "W2", "b", "w"})
          given["parameters"].erase("score." + std::string(name));
        equal(given, learned);
      }
    });

TEST_CASE("importance-as-query: each query has its own vector") {
  const Array all = random({4, 4}, "importance");
  Json json = document("importance-as-query", {});
  json["inputs"]["importance"] = to_json(all);
  const Array scores = run_json(json).outputs.at("scores");
  for (std::size_t i = 0; i < 4; ++i) {
    Array one({1, 4});
    one.data = all.row(i);
    json["inputs"]["importance"] = to_json(one);
    CHECK(run_json(json).outputs.at("scores").row(i) == scores.row(i));
  }
}

TEST_CASE("concat-query-score: a zero block for the extra part gives the base score") {
  const Given hybrid{{"filters", random({2, 3}, "filters")},
                     {"V", W_k},
                     {"b", b},
                     {"w", w},
                     {"U", random({2, 4}, "U")}};
  const std::vector<std::tuple<std::string, std::string, Given>> bases{
      {"additive", "W1", {{"W2", W_k}, {"b", b}, {"w", w}}},
      {"location-aware", "W", hybrid},
      {"lstmn-score", "W_x", {{"W_h", W_k}, {"W_ht", random({3, 4}, "W_ht")}, {"w", w}}},
      {"coverage-linguistic", "W", {{"U", W_k}, {"w", w}, {"v_beta", b}, {"u", random({5}, "u")}}}};
  for (const auto& [id, W, given] : bases) {
    Given plain, inside;
    for (const auto& [name, array] : given) {
      plain["score." + name] = array;
      inside["score.base." + name] = array;
    }
    plain["score." + W] = W_q;
    inside["score.base." + W] = with_zero_rows(W_q, 2);
    const Json composite = document({{"type", "concat-query-score"}, {"base", id}}, inside);
    equal(composite, document(id, plain));
    if (id.starts_with("coverage")) equal(composite, document(id, plain), {"state"});
    inside["score.base." + W].data.back() = 2;
    CHECK(distance(run_json(document({{"type", "concat-query-score"}, {"base", id}}, inside))
                       .outputs.at("scores"),
                   run_json(document(id, plain)).outputs.at("scores")) > 1e-3);
  }
  CHECK_THROWS_AS((void)run_json(document(Json::parse(R"({"type": "concat-query-score",
                                  "base": {"type": "convolution-based", "filters": 2}})"),
                                          {})),
                  Error);
}

TEST_CASE("a head's composite query among others is the one it has alone, whatever the base") {
  for (const char* base : {"lstmn-score", "location-aware", "coverage-subsymbolic"}) {
    const Json score{{"type", "concat-query-score"}, {"base", base}};
    const Json heads{{"type", "multi-head"}, {"count", 2}};
    Json both = with_parameters(document(score, {}, {{"heads", heads}}), 4);
    const Ran ran = run_json(both);
    for (std::size_t t = 0; t < 2; ++t) {
      Json alone = document(score, {});
      for (const char* role : {"query", "key", "value"})
        alone["inputs"][role] = to_json(part(ran.outputs.at(role), t));
      for (const auto& [name, array] : ran.parameters) {
        if (name.starts_with("score.")) alone["parameters"][name] = to_json(part(array, t));
      }
      const Ran one = run_json(alone);
      same(one.outputs.at("weights"), part(ran.outputs.at("weights"), t));
      same(one.outputs.at("context"), part(ran.outputs.at("heads"), t));
      if (one.outputs.contains("state"))
        same(one.outputs.at("state"), part(ran.outputs.at("state"), t));
    }
  }
}

const Each under_masks(
    "is masked-align's base under every mask, and gives no weight to what is masked", alignments,
    [](const Mechanism& alignment) {
      const Json base{{"type", std::string(alignment.id)}};
      for (const char* mask : {"[]", R"(["mask-causal"])",
                               R"(["mask-causal", {"type": "mask-padding", "length": 3}])"}) {
        const Json masks{{"mask", Json::parse(mask)}};
        Json plain = additive(b, masks), under = plain;
        plain["mechanism"]["alignment"] = base;
        under["mechanism"]["alignment"] = {{"type", "masked-align"}, {"base", base}};
        const Ran ran = run_json(plain);
        for (const auto& [name, array] : ran.parameters) {
          if (name.starts_with("alignment."))
            under["parameters"]["alignment.base." + name.substr(10)] = to_json(array);
        }
        equal(under, plain);
        if (!ran.outputs.contains("mask")) continue;
        const Array weights = run_json(under).outputs.at("weights");
        for (std::size_t i = 0; i < weights.data.size(); ++i) {
          if (ran.outputs.at("mask").data[i] == 0) CHECK(weights.data[i] == 0);
        }
      }
    });

TEST_CASE("masked-align: softmax of scores with minus infinity added") {
  const Ran ran = run_json(additive(b, {{"alignment", "masked-align"}, {"mask", "mask-causal"}}));
  for (std::size_t i = 0; i < 4; ++i) {
    double total = 0;
    for (std::size_t j = 0; j <= i; ++j) total += std::exp(ran.outputs.at("scores")(i, j));
    for (std::size_t j = 0; j < 5; ++j) {
      const double expected = j > i ? 0 : std::exp(ran.outputs.at("scores")(i, j)) / total;
      CHECK(ran.outputs.at("weights")(i, j) == doctest::Approx(expected));
    }
  }
}

}  // namespace attend::testing::nested_scores_test
