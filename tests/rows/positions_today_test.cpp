// SPDX-License-Identifier: Apache-2.0
// What the catalogue promises of the positions since 2017: what they depend on, and what they equal.
#include <cmath>
#include <doctest/doctest.h>

#include "ops/error.h"
#include "tests/rows/position_documents.h"

namespace attend::testing::positions::positions_today_test {
namespace {

constexpr std::size_t n = 6;

Json of(const char* id, Json knobs = Json::object()) {
  knobs["type"] = id;
  return knobs;
}

Array scores(const Json& json) { return run_json(json).outputs.at("scores"); }

Array added(const Json& json) {
  Json without = json;
  without["mechanism"].erase("position");
  without.erase("parameters");
  Array bias = scores(json);
  const Array plain = scores(without);
  for (std::size_t i = 0; i < bias.data.size(); ++i) bias.data[i] -= plain.data[i];
  return bias;
}

Array list(std::vector<double> numbers) {
  Array one({numbers.size()});
  one.data = std::move(numbers);
  return one;
}

std::string refusal(const Json& json) {
  try {
    (void)run_json(json);
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
  return {};
}

Json in_heads(Json json, std::size_t count) {
  json["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", count}};
  return json;
}

}  // namespace

TEST_CASE("biases by distance depend on the distance alone") {
  const std::vector<Json> all{
      document(of("pos-alibi"), n),
      with(document(of("pos-t5-bias"), n), "position.B", random_array({32}, "B")),
      with(with(document(of("pos-kerple"), n), "position.r1", Array({}, .7)), "position.r2",
           Array({}, 1.5)),
      document(of("pos-sandwich"), n)};
  for (const Json& json : all) {
    const std::string id = json["mechanism"]["position"]["type"];
    CAPTURE(id);
    check_shift(json, n);
    CHECK(distance(scores(json), scores(document(Json::array(), n))) > 1e-3);
  }
}

TEST_CASE("a slope of 0 is no position, a steep one leaves each token to itself") {
  const Array plain = scores(document(Json::array(), n));
  CHECK(distance(scores(document(of("pos-alibi", {{"slopes", 0}}), n)), plain) == 0);
  CHECK(distance(scores(document(of("pos-none"), n)), plain) == 0);
  const Array steep =
      run_json(document(of("pos-alibi", {{"slopes", 1e4}}), n)).outputs.at("weights");
  for (std::size_t i = 0; i < n; ++i) CHECK(steep(i, i) == doctest::Approx(1));
  // Under the causal mask a row may add m j instead of taking m (i - j) off.
  Json causal = document(of("pos-alibi", {{"slopes", .25}}), n);
  causal["mechanism"]["mask"] = "mask-causal";
  const Ran ran = run_json(causal);
  Json other = document(Json::array(), n);
  other["mechanism"]["mask"] = "mask-causal";
  other["mechanism"]["score"] = "external-energy";
  Array moved = plain;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) moved(i, j) += .25 * static_cast<double>(j);
  other["inputs"]["energy"] = to_json(moved);
  CHECK(distance(ran.outputs.at("weights"), run_json(other).outputs.at("weights")) <
        10 * tolerance);
}

TEST_CASE(
    "the slopes of heads that are no power of two come from the next lower and the next higher one") {
  const auto slope = [](const Array& bias, std::size_t head) { return -bias(head, 1, 0); };
  Json six = in_heads(document(of("pos-alibi"), n, 12), 6);
  six["inputs"]["query"] = to_json(zeros_of({n, 12}));
  const Array bias = scores(six);
  const std::vector<double> expected{-2, -4, -6, -8, -1, -3};
  for (std::size_t t = 0; t < 6; ++t)
    CHECK(slope(bias, t) == doctest::Approx(std::exp2(expected[t])));
}

TEST_CASE("buckets hold one distance each, then widen, and the last holds the rest") {
  Array B({32});
  for (std::size_t b = 0; b < 32; ++b) B(b) = static_cast<double>(b);
  Json far = with(document(of("pos-t5-bias"), 200), "position.B", B);
  far["inputs"]["query"] = to_json(zeros_of({200, 4}));
  const Array bias = scores(far);
  const std::vector<std::pair<std::size_t, double>> steps{{0, 0},   {1, 1},    {7, 7},   {8, 8},
                                                          {11, 8},  {12, 9},   {16, 10}, {32, 12},
                                                          {64, 14}, {127, 15}, {199, 15}};
  for (const auto& [distance, bucket] : steps) {
    CHECK(bias(199, 199 - distance) == bucket);
    CHECK(bias(0, distance) == (distance == 0 ? 0 : bucket + 16));
  }
  // Equal numbers in all buckets are no position to a softmax; one direction has one bucket for all keys ahead.
  const Json equal = with(document(of("pos-t5-bias"), n), "position.B", Array({32}, 3));
  CHECK(distance(run_json(equal).outputs.at("weights"),
                 run_json(document(Json::array(), n)).outputs.at("weights")) < 10 * tolerance);
  const Array one_way =
      added(with(document(of("pos-t5-bias", {{"bidirectional", false}}), n), "position.B", B));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) CHECK(std::abs(one_way(i, j)) < tolerance);
}

TEST_CASE("open gates forget nothing, and constant ones are a slope") {
  const Json plain = document(Json::array(), n);
  CHECK(distance(scores(with(document(of("pos-forgetting"), n), "position.f", Array({n}, 1))),
                 scores(plain)) == 0);
  const Json constant =
      with(document(of("pos-forgetting"), n), "position.f", Array({n}, std::exp(-.25)));
  CHECK(distance(scores(constant), scores(document(of("pos-alibi", {{"slopes", .25}}), n))) <
        10 * tolerance);
  const Array a = run_json(constant).outputs.at("weights");
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += a(i, j);
    CHECK(sum == doctest::Approx(1));
  }
  // A gate counts for the pairs around it: strictly behind the earlier token, up to the later one.
  Array gate({n}, 1);
  gate(3) = .5;
  const Array bias = added(with(document(of("pos-forgetting"), n), "position.f", gate));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      CHECK(std::abs(bias(i, j) - ((i >= 3) != (j >= 3) ? std::log(.5) : 0)) < 10 * tolerance);
}

TEST_CASE("gates that come from the token are gates that are given") {
  Json token = document(of("pos-forgetting", {{"gates", "token"}}), n);
  const Array x = random_array({n, 4}, "x"), w = random_array({4}, "w");
  Array f({n});
  for (std::size_t t = 0; t < n; ++t) f(t) = 1 / (1 + std::exp(-(inner(x.row(t), w.data) + .5)));
  token = with(with(token, "position.w_f", w), "position.b_f", Array({}, .5));
  const Json given = with(document(of("pos-forgetting"), n), "position.f", f);
  CHECK(distance(scores(token), scores(given)) < 10 * tolerance);
}

TEST_CASE("a table for each head is its own, and one table serves all") {
  const Array each = random_array({2, 32}, "B");
  const Json json = in_heads(document(of("pos-t5-bias"), n), 2);
  const Array both = scores(with(json, "position.B", each));
  for (std::size_t t = 0; t < 2; ++t) {
    const Array all = scores(with(json, "position.B", part(each, t)));
    CHECK(distance(part(both, t), part(all, t)) < tolerance);
  }
  Json shared = json;  // four heads of queries over two of keys
  shared["mechanism"]["heads"] = {{"type", "grouped-query"}, {"count", 4}, {"groups", 2}};
  const Array four = random_array({4, 32}, "B");
  const Array of_four = scores(with(shared, "position.B", four));
  for (std::size_t t = 0; t < 4; ++t)
    CHECK(distance(part(of_four, t), part(scores(with(shared, "position.B", part(four, t))), t)) <
          tolerance);
}

TEST_CASE("a kernel with strength 0 is no position, and a power of 1 is a slope") {
  for (const char* kernel : {"log", "power"}) {
    Json none =
        with(document(of("pos-kerple", {{"kernel", kernel}}), n), "position.r1", Array({}, 0));
    CHECK(distance(scores(none), scores(document(Json::array(), n))) == 0);
  }
  const Json slope =
      with(document(of("pos-kerple", {{"kernel", "power"}}), n), "position.r1", Array({}, .5));
  CHECK(distance(scores(slope), scores(document(of("pos-alibi", {{"slopes", .5}}), n))) <
        10 * tolerance);
}

TEST_CASE("contextual positions: one position is none, and equal rows add the same to a row") {
  const Json plain = document(Json::array(), n);
  const Array weights = run_json(plain).outputs.at("weights");
  const Json one =
      with(document(of("pos-cope", {{"N", 1}}), n), "position.P", random_array({1, 4}, "P"));
  CHECK(distance(run_json(one).outputs.at("weights"), weights) < 10 * tolerance);
  Array same({5, 4});
  for (std::size_t r = 0; r < 5; ++r)
    for (std::size_t c = 0; c < 4; ++c) same(r, c) = static_cast<double>(c) - 1;
  CHECK(distance(
            run_json(with(document(of("pos-cope"), n), "position.P", same)).outputs.at("weights"),
            weights) < 10 * tolerance);
  // With very large scores every gate is open, and the position is the number of keys up to the query.
  Json large = with(document(of("pos-cope"), n), "position.P", random_array({16, 4}, "P"));
  large["inputs"]["query"] = to_json(Array({n, 4}, 40));
  large["inputs"]["key"] = to_json(Array({n, 4}, 40));
  const Array e = scores(large), P = random_array({16, 4}, "P");
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      const double at = j <= i ? static_cast<double>(i - j + 1) : 0;
      const double expected = 3200 + .5 * inner(Row(4, 40), P.row(static_cast<std::size_t>(at)));
      CHECK(e(i, j) == doctest::Approx(expected));
    }
}

TEST_CASE("a path without strength is no position, and whole reflections keep norms") {
  const Array plain = scores(document(Json::array(), n));
  const Array w = random_array({n, 4}, "w");
  Json json = with(document(of("pos-path"), n), "position.w", w);
  CHECK(distance(scores(with(json, "position.beta", Array({n}, 0))), plain) < 10 * tolerance);
  const Array e = scores(with(json, "position.beta", random_array({n}, "b")));
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i; j < n; ++j) CHECK(std::abs(e(i, j) - plain(i, j)) < 10 * tolerance);
  // All queries are unit vectors in turn: the scores of a key are its reflected numbers, whose norm stays.
  Array unit({n, 4}), x = random_array({n, 4}, "x");
  for (std::size_t t = 0; t < n; ++t)
    for (std::size_t c = 0; c < 4; ++c) unit(t, c) = w(t, c) / std::sqrt(inner(w.row(t), w.row(t)));
  json =
      with(with(document(of("pos-path"), n), "position.w", unit), "position.beta", Array({n}, 2));
  json["mechanism"]["score"] = "dot";
  json["inputs"]["key"] = to_json(x);
  double norm = 0;
  for (std::size_t c = 0; c < 4; ++c) {
    Array axis({n, 4});
    for (std::size_t i = 0; i < n; ++i) axis(i, c) = 1;
    json["inputs"]["query"] = to_json(axis);
    norm += std::pow(scores(json)(5, 1), 2);
  }
  CHECK(norm == doctest::Approx(inner(x.row(1), x.row(1))));
}

TEST_CASE("scores of xPos depend on the distance alone") {
  const Array whole = scores(document(of("pos-xpos", {{"decay", 8}}), n));
  Json later = document(of("pos-xpos", {{"decay", 8}}), n);
  later["inputs"]["query"] = to_json(rows_of(random_array({n, 4}, "x"), 2, n));
  later["inputs"]["value"] = to_json(rows_of(random_array({n, 3}, "v"), 2, n));
  const Array e = scores(later);
  for (std::size_t i = 0; i + 2 < n; ++i)
    for (std::size_t j = 0; j + 2 < n; ++j)
      CHECK(std::abs(e(i, j) - whole(i + 2, j + 2)) < 10 * tolerance);
}

TEST_CASE("xPos without decay is the rotary position, and equal rows fall with their distance") {
  const Json rope = document(of("pos-rope", {{"pairs", "neighbour"}}), n);
  CHECK(distance(scores(document(of("pos-xpos", {{"decay", 1e9}}), n)), scores(rope)) < 1e-5);
  Json equal = document(of("pos-xpos", {{"decay", 8}, {"base", 1e6}}), n);
  Array rows({n, 4});
  for (std::size_t i = 0; i < n; ++i) rows(i, 2) = 1;  // the slow pair hardly turns
  equal["inputs"]["query"] = to_json(rows);
  const Array e = scores(equal);
  for (std::size_t j = 0; j + 1 < n; ++j) CHECK(e(n - 1, j) < e(n - 1, j + 1));
}

TEST_CASE("Sandwich is largest at the token itself, and what sinusoidal rows have in common") {
  const Array bias = added(document(of("pos-sandwich", {{"d", 8}}), n));
  for (std::size_t i = 0; i < n; ++i) {
    CHECK(bias(i, i) == doctest::Approx(.5));
    for (std::size_t j = 0; j < n; ++j) {
      CHECK(bias(i, j) <= bias(i, i) + tolerance);
      double product = 0;
      for (std::size_t c = 0; c < 8; ++c) {
        const double turn = std::pow(10000., -static_cast<double>(c - c % 2) / 8);
        const double a = static_cast<double>(i) * turn, b = static_cast<double>(j) * turn;
        product += c % 2 == 0 ? std::sin(a) * std::sin(b) : std::cos(a) * std::cos(b);
      }
      CHECK(std::abs(bias(i, j) - product / 8) < 10 * tolerance);
    }
  }
}

TEST_CASE("FIRE is the same for all keys where its function is constant") {
  Json json = with(document(of("pos-fire"), n), "position.W2", zeros_of({32, 1}));
  json = with(json, "position.b2", Array({1}, 2));
  CHECK(distance(run_json(json).outputs.at("weights"),
                 run_json(document(Json::array(), n)).outputs.at("weights")) < 10 * tolerance);
}

TEST_CASE("a position that cannot be names the field") {
  CHECK(refusal(with(document(of("pos-forgetting"), n), "position.f", list({1, 1, 0, 1, 1, 1}))) ==
        "/parameters/position.f: expected numbers above 0 and at most 1, found 0 at 2");
  CHECK(refusal(with(document(of("pos-kerple"), n), "position.r1", Array({}, -1)))
            .starts_with("/parameters/position.r1: expected numbers of at least 0"));
  CHECK(refusal(document(of("pos-t5-bias", {{"buckets", 9}}), n))
            .starts_with("/mechanism/position/buckets: "));
  CHECK(refusal(document(of("pos-t5-bias", {{"max", 8}}), n))
            .starts_with("/mechanism/position/max: "));
  CHECK(refusal(document(of("pos-alibi", {{"slopes", {.5, .25}}}), n))
            .starts_with("/mechanism/position/slopes: "));
  CHECK(refusal(with(document(of("pos-forgetting"), n), "position.f", Array({2, n}, .5)))
            .starts_with("/parameters/position.f: expected shape"));
  Json additive = document(of("pos-path"), n);
  additive["mechanism"]["score"] = "additive";
  CHECK(refusal(additive).find("choose the score “dot” or “scaled-dot”") != std::string::npos);
}

TEST_CASE("one token has every position") {
  for (const char* id : {"pos-alibi", "pos-t5-bias", "pos-cope", "pos-path", "pos-forgetting",
                         "pos-xpos", "pos-kerple", "pos-fire", "pos-sandwich", "pos-none"}) {
    CAPTURE(id);
    const Ran one = run_json(document(of(id), 1));
    CHECK(one.outputs.at("weights")(0, 0) == 1);
    CHECK(std::isfinite(one.outputs.at("scores")(0, 0)));
  }
}

}  // namespace attend::testing::positions::positions_today_test
