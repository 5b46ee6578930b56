// SPDX-License-Identifier: Apache-2.0
// What a build states as a shorter form has the numbers of its formula where they are hard to keep, too.
#include <cmath>

#include "experiment/running/run.h"
#include "tests/experiment/harness.h"

namespace attend::testing::shorter_forms_test {
namespace {

Json document_of(const Json& query, const Json& key, const Json& value, const Json& score,
                 const Json& alignment) {
  return {{"schema", "attention-playground/1"},
          {"inputs",
           {{"query", {{"matrix", query}}},
            {"key", {{"matrix", key}}},
            {"value", {{"matrix", value}}}}},
          {"mechanism", {{"type", "attention"}, {"score", score}, {"alignment", alignment}}},
          {"outputs", {"context"}}};
}

Json rows(std::size_t count, std::size_t width, double step) {
  Json made = Json::array();
  for (std::size_t i = 0; i < count; ++i) {
    Json row = Json::array();
    for (std::size_t c = 0; c < width; ++c)
      row.push_back(std::sin(static_cast<double>(i * width + c) * step));
    made.push_back(row);
  }
  return made;
}

}  // namespace

// One value for all keys is the context of every row whose weights add up to 1.
TEST_CASE("weights of sparsemax and entmax add up to 1, however near the scores are") {
  const Json near = Json::parse(
      "[[0.786],[0.841],[0.811],[0.76],[0.863],[0.812],[0.842],[0.768],[0.856],[0.759],[0.76],"
      "[0.752],[0.774],[0.786],[0.769],[0.783],[1]]");
  Json same = Json::array();
  for (std::size_t i = 0; i < 600; ++i) same.push_back({1});
  for (const Json& alignment :
       {Json("sparsemax"), Json{{"type", "alpha-entmax"}, {"alpha", 2}}, Json("alpha-entmax")}) {
    CAPTURE(alignment.dump());
    for (const auto& [query, key] : {std::pair{same, near},
                                     {rows(900, 3, 1.7), rows(300, 3, .9)},
                                     {rows(900, 1, 2.3), rows(301, 1, .01)}}) {
      const Ran ran = run_json(document_of(
          query, key, Json(std::vector<Json>(key.size(), Json::array({1}))), "dot", alignment));
      for (const double one : ran.outputs.at("context").data)
        REQUIRE(one == doctest::Approx(1).epsilon(sizeof(real) == 8 ? 1e-12 : 1e-5));
    }
  }
}

TEST_CASE("long texts have the scores of distances with any factor that short ones have") {
  for (const double scale : {-1., -.01, .7}) {
    CAPTURE(scale);
    const Json score{{"type", "similarity-l2"}, {"squared", true}, {"scale", scale}};
    const Json all = rows(600, 3, .37);
    Json first = Json::array();
    for (std::size_t i = 0; i < 2; ++i) first.push_back(all[i]);
    const Ran few = run_json(document_of(first, all, all, score, "softmax")),
              many = run_json(document_of(all, all, all, score, "softmax"));
    const auto& short_text = few.outputs.at("context").data;
    const auto& long_text = many.outputs.at("context").data;
    for (std::size_t i = 0; i < short_text.size(); ++i)
      CHECK(long_text[i] ==
            doctest::Approx(short_text[i]).epsilon(sizeof(real) == 8 ? 1e-11 : 1e-4));
  }
}

}  // namespace attend::testing::shorter_forms_test
