// SPDX-License-Identifier: Apache-2.0
// What the catalogue says of scores that see the rows before.
#include <algorithm>
#include <cmath>

#include "tests/each.h"
#include "tests/rows/slot_tables.h"

namespace attend::testing::recurrent_scores_test {

using namespace slot_tables;

// Without those whose columns sum over all rows: a recurrent score gives them one row at a time.
Mechanisms one_row_at_a_time() {
  Mechanisms list = alignments();
  std::erase_if(list, [](const Mechanism* one) { return one->needs_all_rows; });
  return list;
}

void check_without_memory(const Mechanism& alignment) {
  const Array filters = random({3, 3}, "filters"), u = random({5}, "u");
  const std::vector<std::tuple<const char*, Given, Array>> rows{
      {"lstmn-score", {{"W_h", W_k}, {"W_x", W_q}, {"w", w}, {"W_ht", Array({3, 4})}}, none},
      {"location-aware",
       {{"filters", filters}, {"W", W_q}, {"V", W_k}, {"U", Array({3, 4})}, {"b", b}, {"w", w}},
       b},
      {"coverage-linguistic", {{"W", W_q}, {"U", W_k}, {"w", w}, {"v_beta", none}, {"u", u}}, none},
      {"coverage-subsymbolic",
       {{"W", W_q}, {"U", W_k}, {"w", w}, {"V_kappa", Array({10, 4})}},
       none}};
  for (const auto& [id, given, bias] : rows) {
    CAPTURE(id);
    const Json mask = std::string(id) == "lstmn-score" ? strictly_causal : Json::object();
    Given parameters;
    for (const auto& [name, array] : given) parameters["score." + name] = array;
    Json members{{"alignment", std::string(alignment.id)}};
    const Json recurrent = document(id, parameters, members);
    members.update(mask);
    equal(recurrent, additive(bias, members));
  }
}

const Each without_memory("makes an additive score of each recurrent score without its memory",
                          one_row_at_a_time, check_without_memory);

const Each only_earlier("under lstmn-score: only earlier tokens count, and every token has a score",
                        alignments, [](const Mechanism& alignment) {
                          const Json document_of = document(
                              "lstmn-score", {}, {{"alignment", std::string(alignment.id)}});
                          const Ran ran = run_json(document_of);
                          const Array &scores = ran.outputs.at("scores"),
                                      &weights = ran.outputs.at("weights");
                          for (std::size_t t = 0; t < 4; ++t) {
                            for (std::size_t j = 0; j < 5; ++j) {
                              CHECK(scores(t, j) != 0);
                              if (j >= t) CHECK(weights(t, j) == 0);
                            }
                          }
                          for (const double number : ran.outputs.at("context").row(0))
                            CHECK(number == 0);
                          Json later = document_of;
                          Array moved = v;
                          for (std::size_t c = 0; c < 3; ++c) moved(2, c) = 7;
                          later["inputs"]["value"] = to_json(moved);
                          const Ran after = run_json(later);
                          for (std::size_t t = 0; t < 3; ++t)
                            CHECK(after.outputs.at("scores").row(t) == scores.row(t));
                        });

TEST_CASE("many alignments align a recurrent score") { CHECK(one_row_at_a_time().size() > 10); }

TEST_CASE("location-aware: where the weights were moves the location term along") {
  const auto scores_after = [](std::size_t place) {
    Array before({9});
    before(place) = 1;
    Json json = document("location-aware",
                         {{"score.filters", random({2, 5}, "filters")}, {"score.initial", before}});
    json["inputs"]["key"] = json["inputs"]["value"] = to_json(Array({9, 5}));
    return run_json(json).outputs.at("scores");
  };
  const Array here = scores_after(3), there = scores_after(4);
  CHECK(std::abs(here(0, 1) - here(0, 8)) > 1e-3);
  for (std::size_t j = 0; j < 8; ++j) CHECK(there(0, j + 1) == doctest::Approx(here(0, j)));
  CHECK_THROWS_AS((void)run_json(document("location-aware", {{"score.filters", Array({2, 4})}})),
                  Error);
}

const Each summed(
    "under coverage-linguistic: with a fertility of one the coverage is the sum of the weights",
    alignments, [](const Mechanism& alignment) {
      const Json json = document("coverage-linguistic", {{"score.u", Array({5})}},
                                 {{"alignment", std::string(alignment.id)}});
      const Ran ran = run_json(json);
      Array sum({5});
      for (std::size_t j = 0; j < 5; ++j) {
        for (std::size_t t = 0; t < 4; ++t) sum(j) += ran.outputs.at("weights")(t, j);
      }
      same(ran.outputs.at("state"), sum);
      Json halved = json;  // twice the fertility: half the coverage
      halved["mechanism"]["score"] = {{"type", "coverage-linguistic"}, {"N", 4}};
      halved["parameters"]["score.v_beta"] = to_json(none);
      const Ran slow = run_json(halved);
      for (std::size_t j = 0; j < 5; ++j) {
        double total = 0;
        for (std::size_t t = 0; t < 4; ++t) total += slow.outputs.at("weights")(t, j);
        CHECK(slow.outputs.at("state")(j) == doctest::Approx(total / 2));
      }
    });

TEST_CASE("equal keys stay equal under coverage, and moving keys moves it along") {
  for (const char* id : {"coverage-linguistic", "coverage-subsymbolic"}) {
    Json json = document(id, {});
    Json turned = json;
    const auto rotated = [](Array rows) {
      std::rotate(rows.data.begin(), rows.data.begin() + static_cast<long>(2 * rows.cols()),
                  rows.data.end());
      return rows;
    };
    for (const auto& [role, rows] : {std::pair("key", k), std::pair("value", v)})
      turned["inputs"][role] = to_json(rotated(rows));
    same(run_json(turned).outputs.at("context"), run_json(json).outputs.at("context"));
    json["inputs"]["key"] = to_json(Array({5, 5}, 0.4));
    same(run_json(json).outputs.at("weights"), Array({4, 5}, 0.2));
  }
}

TEST_CASE("a fertility that vanishes gives large numbers, not invalid ones") {
  Json json = document("coverage-linguistic", {{"score.u", Array({5}, 1e4)}});
  json["inputs"]["key"] = to_json(Array({5, 5}, -1));
  json["mechanism"]["mask"] = "mask-causal";
  for (const auto ran = run_json(json); const auto& [name, output] : ran.outputs) {
    for (const double number : output.data) CHECK_MESSAGE(std::isfinite(number), name);
  }
}

}  // namespace attend::testing::recurrent_scores_test
