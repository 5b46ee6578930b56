// SPDX-License-Identifier: Apache-2.0
// Positions whose bias depends on the gap of query and key alone: the fast form reads it from a table, and gives what
// the formula gives, forward and backward.
#include "tests/each.h"
#include "tests/experiment/attended.h"
#include "tests/rows/masks.h"

namespace attend::testing::gaps_test {
namespace {

// Every position that changes scores, as a document of its own has it, and further settings.
std::vector<Json> every_setting() {
  std::vector<Json> list;
  for (const Mechanism* position : of_kind(Kind::position)) {
    if (std::get<Position>(position->behaviour).score != nullptr) list.push_back(position->id);
  }
  for (const char* text :
       {R"({"type": "pos-alibi", "slopes": 0.3})", R"({"type": "pos-kerple", "kernel": "power"})",
        R"({"type": "pos-t5-bias", "bidirectional": false, "buckets": 5, "max": 16})"})
    list.push_back(Json::parse(text));
  return list;
}

Json with_position(const Json& position, const Json& heads, std::size_t m, std::size_t n) {
  Json document = masked(Json::array(), m, n);
  document["mechanism"].erase("mask");
  document["mechanism"]["position"] = Json::array({position});
  if (!heads.is_null()) document["mechanism"]["heads"] = heads;
  return document;
}

const std::vector<Json> every_heads{nullptr,
                                    {{"type", "multi-head"}, {"count", 2}},
                                    {{"type", "grouped-query"}, {"count", 6}, {"groups", 2}},
                                    {{"type", "multi-query"}, {"count", 3}}};

}  // namespace

TEST_CASE(
    "attention whose bias is read from a table of gaps is attention by its formula, at odd sizes") {
  std::map<std::string, std::size_t> known;
  for (const Json& position : every_setting()) {
    CAPTURE(position.dump());
    for (const Json& heads : every_heads) {
      CAPTURE(heads.dump());
      for (const auto& [m, n] :
           {std::pair{1UL, 1UL}, {1UL, 5UL}, {5UL, 1UL}, {7UL, 11UL}, {37UL, 23UL}}) {
        CAPTURE(m);
        CAPTURE(n);
        const auto fast = check_fast_form(with_position(position, heads, m, n));
        // The biases of one row or one key are no table, but a term of keys or rows.
        if (fast && fast->gaps && m > 1 && n > 1) ++known[position.dump()];
      }
    }
  }
  CAPTURE(Json(known).dump());
  CHECK(known.size() == 7);
  for (const auto& [position, times] : known) CHECK_MESSAGE(times == 8, position);
}

TEST_CASE("a bias that an intervention changes is not read from the table") {
  const Json document = with_position("pos-alibi", nullptr, 70, 70);
  const Ran before = run_json(document);
  for (const Json& how : {Json{{"type", "set"}, {"of", "m|i-j|"}, {"rows", {9}}, {"value", 1}},
                          Json{{"type", "scale"}, {"of", "m|i-j|"}, {"value", 20}}}) {
    Json changed = document;
    changed["interventions"] = Json::array({how});
    Json alone = changed;
    alone["outputs"] = {"context"};
    const Ran whole = run_json(changed), fast = run_json(alone);
    CHECK(distance(whole.outputs.at("context"), before.outputs.at("context")) > 1e-3);
    CHECK(distance(fast.outputs.at("context"), whole.outputs.at("context")) < 10 * tolerance);
  }
}

}  // namespace attend::testing::gaps_test
