// SPDX-License-Identifier: Apache-2.0
// What the catalogue promises of rotations of queries and keys.
#include <cmath>
#include <doctest/doctest.h>

#include "tests/rows/position_documents.h"

namespace attend::testing::positions::rotary_test {
namespace {

Json rope(Json knobs = Json::object()) {
  knobs["type"] = "pos-rope";
  return knobs;
}

Json in_heads(Json json, std::size_t count = 2) {
  json["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", count}};
  return json;
}

const Array& output(const Ran& ran, const char* name) { return ran.outputs.at(name); }

// The same module without a position, reading the rows that this one has turned.
Json on_turned_rows(Json json) {
  const Ran turned = run_json(json);
  json["mechanism"].erase("position");
  for (const char* role : {"query", "key"}) json["inputs"][role] = to_json(output(turned, role));
  return json;
}

void check_on_turned_rows(const Json& json, std::initializer_list<const char*> results) {
  const Ran turned = run_json(json), plain = run_json(on_turned_rows(json));
  for (const char* name : results)
    CHECK_MESSAGE(distance(output(turned, name), output(plain, name)) < 10 * tolerance, name);
  Json without = json;
  without["mechanism"].erase("position");
  CHECK(distance(output(run_json(without), "context"), output(turned, "context")) > .01);
}

}  // namespace

TEST_CASE("a rotation keeps norms, and scores depend on the distance alone") {
  for (const char* pairs : {"half", "neighbour"}) {
    const Json json = document(rope({{"pairs", pairs}}), 6, 5);  // the fifth feature stays
    const Ran ran = run_json(json), plain = run_json(document(Json::array(), 6, 5));
    for (std::size_t i = 0; i < 6; ++i) {
      CHECK(std::abs(inner(output(ran, "query").row(i), output(ran, "query").row(i)) -
                     inner(output(plain, "query").row(i), output(plain, "query").row(i))) <
            10 * tolerance);
      CHECK(output(ran, "key")(i, 4) == output(plain, "key")(i, 4));
      CHECK(std::abs(output(ran, "scores")(i, i) - output(plain, "scores")(i, i)) < 10 * tolerance);
    }
    CHECK(distance(output(ran, "scores"), output(plain, "scores")) > .1);
    Json later = json;  // the same rows, two places further to the front
    later["inputs"]["query"] = to_json(rows_of(random_array({6, 5}, "x"), 2, 6));
    later["inputs"]["value"] = to_json(random_array({4, 3}, "v"));
    const Ran moved = run_json(later);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j)
        CHECK(std::abs(output(moved, "scores")(i, j) - output(ran, "scores")(i + 2, j + 2)) <
              10 * tolerance);
    }
  }
}

TEST_CASE("the first position is inert, as far out as it may be: angles are computed in double") {
  const Array near = output(run_json(document(rope(), 6, 6)), "scores");
  for (const int start : {1, 37, 1'000'000}) {
    const Ran far = run_json(document(rope({{"start", start}}), 6, 6));
    CHECK(distance(output(far, "scores"), near) < 10 * tolerance);
  }
}

TEST_CASE("two features turn by the distance itself, whatever the base") {
  for (const double base : {3., 10000.}) {
    Json json = document(rope({{"base", base}}), 6, 2);
    Array rows({6, 2});
    for (std::size_t i = 0; i < 6; ++i) rows(i, 0) = 1;
    json["inputs"]["query"] = to_json(rows);
    const Array e = output(run_json(json), "scores");
    for (std::size_t i = 0; i < 6; ++i) {
      for (std::size_t j = 0; j < 6; ++j) {
        const double distance = static_cast<double>(i) - static_cast<double>(j);
        CHECK(std::abs(e(i, j) - std::cos(distance) / std::sqrt(2.)) < tolerance);
      }
    }
  }
}

TEST_CASE("nothing turns without a fraction, and a factor of 1 scales nothing") {
  const Ran none = run_json(document(Json::array(), 6, 8));
  CHECK(distance(output(run_json(document(rope({{"fraction", 0}}), 6, 8)), "scores"),
                 output(none, "scores")) == 0);
  const Ran part = run_json(document(rope({{"fraction", .58}}), 6, 8));  // four features of eight
  for (std::size_t i = 1; i < 6; ++i) {
    for (std::size_t c = 0; c < 8; ++c)
      CHECK((output(part, "key")(i, c) == output(none, "key")(i, c)) == (c >= 4));
  }
  const Array plain = output(run_json(document(rope(), 6, 8)), "scores");
  for (const char* scaling : {"linear", "ntk", "dynamic", "yarn", "llama3"}) {
    Json knobs{{"scaling", scaling}, {"length", 8}, {"fast", 2}, {"slow", .5}};
    CHECK(distance(output(run_json(document(rope(knobs), 6, 8)), "scores"), plain) <
          10 * tolerance);
    knobs["factor"] = 4;
    if (std::string_view(scaling) == "dynamic") knobs["length"] = 4;
    CHECK(distance(output(run_json(document(rope(knobs), 6, 8)), "scores"), plain) > .01);
  }
}

TEST_CASE("halves are neighbours where the columns of the projections change places") {
  const std::size_t p = 6, h = 2, d = 4;
  const Array W_Q = random_array({h, d, p}, "W_Q"), W_K = random_array({h, d, p}, "W_K");
  const auto moved = [&](const Array& W) {
    Array other = W;
    for (std::size_t t = 0; t < h; ++t) {
      for (std::size_t r = 0; r < d; ++r) {
        for (std::size_t c = 0; c < p; ++c)
          other(t, r, c % 2 == 0 ? c / 2 : p / 2 + c / 2) = W(t, r, c);
      }
    }
    return other;
  };
  Json neighbours = in_heads(document(rope({{"pairs", "neighbour"}})));
  neighbours = with(with(neighbours, "heads.W_Q", W_Q), "heads.W_K", W_K);
  Json halves = in_heads(document(rope({{"pairs", "half"}})));
  halves = with(with(halves, "heads.W_Q", moved(W_Q)), "heads.W_K", moved(W_K));
  CHECK(distance(output(run_json(neighbours), "scores"), output(run_json(halves), "scores")) <
        10 * tolerance);
}

TEST_CASE("each head turns its own rows, as a module without heads turns them") {
  const Ran heads = run_json(in_heads(document(rope(), 6, 6)));
  const Array &q = output(heads, "query"), &e = output(heads, "scores");
  CHECK(q.shape == Shape{2, 6, 3});
  Json plain = in_heads(document(Json::array(), 6, 6));
  const Ran projected = run_json(plain);
  for (std::size_t t = 0; t < 2; ++t) {
    Json alone = document(rope(), 6, 3);
    for (const char* role : {"query", "key"})
      alone["inputs"][role] = to_json(part(output(projected, role), t));
    CHECK(distance(output(run_json(alone), "scores"), part(e, t)) < 10 * tolerance);
  }
}

TEST_CASE("whatever compares queries with keys reads the turned rows") {
  for (const char* score : {"additive", "similarity-cosine", "coverage-linguistic", "general"}) {
    CAPTURE(score);
    Json json = document(rope());
    json["mechanism"]["score"] = score;
    check_on_turned_rows(json, {"scores", "weights", "context"});
  }
  Json json = document(rope());
  json["mechanism"]["alignment"] = "adaptive-temperature";
  check_on_turned_rows(json, {"scores", "weights", "context"});
}

TEST_CASE("a core reads the turned rows, alone and in heads") {
  for (const char* core : {"linear", "fast-weight", "performer", "flash"}) {
    CAPTURE(core);
    Json json = document(rope());
    json["mechanism"]["core"] = core;
    check_on_turned_rows(json, {"weights", "context"});
    const Ran heads = run_json(in_heads(document(rope(), 6, 6)));
    Json beside = in_heads(document(rope(), 6, 6));
    beside["mechanism"]["core"] = core;
    for (const char* rows : {"query", "key"})
      CHECK(distance(output(run_json(beside), rows), output(heads, rows)) == 0);
  }
}

TEST_CASE("a rotation goes with other positions, and not with another rotation") {
  Json json = document(Json::array({"pos-sinusoidal", rope(), "pos-relative-shaw"}));
  const Array e = output(run_json(json), "scores");
  json["mechanism"]["position"] = Json::array({rope(), "pos-sinusoidal", "pos-relative-shaw"});
  CHECK(distance(output(run_json(json), "scores"), e) == 0);  // each has its own stage
  json["mechanism"]["position"] = Json::array({rope(), rope({{"base", 100}})});
  CHECK_THROWS_WITH_AS(
      run_json(json), doctest::Contains("queries and keys, which can be rotated only once"), Error);
}

TEST_CASE("a rotation needs a query, as wide as the keys") {
  Json narrow = document(rope());
  narrow["inputs"]["key"] = to_json(random_array({6, 6}, "k"));
  narrow["mechanism"]["score"] = "general";
  CHECK_THROWS_WITH_AS(run_json(narrow), doctest::Contains("they are 4 and 6 wide"), Error);
  Json alone = document(rope());
  alone["inputs"] = {{"key", to_json(random_array({6, 4}, "k"))}};
  alone["mechanism"]["score"] = "self-additive";
  CHECK_THROWS_WITH_AS(run_json(alone), doctest::Contains("reads no query"), Error);
  CHECK_THROWS_WITH_AS(run_json(document(rope({{"scaling", "yarn"}, {"base", 1}}))),
                       doctest::Contains("a base above 1"), Error);
}

TEST_CASE("keys of a memory lie before position 0") {
  Json json = document(Json::array({"pos-relative-xl", rope()}));
  json["inputs"].erase("value");
  const Array x = random_array({6, 4}, "x");
  for (const char* name : {"position.0.u", "position.0.v"}) json = with(json, name, zeros_of({4}));
  json = with(json, "position.0.W_R", zeros_of({4, 4}));
  const Ran whole = run_json(json);
  json["inputs"]["memory"] = to_json(rows_of(x, 0, 2));
  json["inputs"]["query"] = to_json(rows_of(x, 2, 6));
  const Ran later = run_json(json);
  CHECK(output(later, "scores").shape == Shape{4, 6});
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 6; ++j)
      CHECK(std::abs(output(later, "scores")(i, j) - output(whole, "scores")(i + 2, j)) <
            10 * tolerance);
  }
}

}  // namespace attend::testing::positions::rotary_test
