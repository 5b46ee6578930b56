// SPDX-License-Identifier: Apache-2.0
// What the catalogue promises of each position row: limits, equalities with other rows, bounds.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <optional>

#include "tests/each.h"
#include "tests/rows/position_documents.h"

namespace attend::testing::positions::positions_test {
TEST_CASE("sinusoids have one length, see distances only, and turn when shifted") {
  const std::size_t d = 8;
  const Array pe = run_json(document("pos-sinusoidal", 12, d)).outputs.at("position");
  for (std::size_t p = 0; p < 12; ++p)
    CHECK(std::sqrt(inner(pe.row(p), pe.row(p))) == doctest::Approx(std::sqrt(d / 2.0)));
  for (std::size_t p = 0; p + 3 < 12; ++p) {
    CHECK(inner(pe.row(p), pe.row(p + 3)) == doctest::Approx(inner(pe.row(0), pe.row(3))));
    for (std::size_t i = 0; i < d; i += 2) {  // the turn is row 3 itself: (sin, cos) of its angle
      const double s = pe(3, i), c = pe(3, i + 1);
      CHECK(std::abs(pe(p + 3, i) - (c * pe(p, i) + s * pe(p, i + 1))) < 10 * tolerance);
      CHECK(std::abs(pe(p + 3, i + 1) - (c * pe(p, i + 1) - s * pe(p, i))) < 10 * tolerance);
    }
  }
}

TEST_CASE("a learned table of zeros leaves permutations alone, and a short one is refused") {
  Json json = with(document("pos-learned"), "position.P", zeros_of({7, 4}));
  const Ran plain = run_json(json);
  CHECK(distance(plain.outputs.at("context"),
                 run_json(document(Json::array())).outputs.at("context")) < tolerance);
  Json turned = json;
  const Array x = plain.outputs.at("key"), v = plain.outputs.at("value");
  Array xs = x, vs = v;
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t c = 0; c < x.cols(); ++c) xs((i + 1) % 6, c) = x(i, c);
    for (std::size_t c = 0; c < v.cols(); ++c) vs((i + 1) % 6, c) = v(i, c);
  }
  turned["inputs"] = {{"query", to_json(x)}, {"key", to_json(xs)}, {"value", to_json(vs)}};
  CHECK(distance(run_json(turned).outputs.at("context"), plain.outputs.at("context")) <
        10 * tolerance);
  CHECK_THROWS_WITH_AS(run_json(with(document("pos-learned"), "position.P", zeros_of({5, 4}))),
                       doctest::Contains("found 6 tokens"), Error);
}

TEST_CASE("positional attention ignores contents, and is location-based attention of places") {
  const Array T = random_array({6, 6}, "T");
  Json json = with(document("pos-attention", 6, 6), "position.T", T);
  const Ran ran = run_json(json);
  json["inputs"]["query"] = to_json(random_array({6, 6}, "other"));
  CHECK(distance(run_json(json).outputs.at("weights"), ran.outputs.at("weights")) == 0);
  Json places = document(Json::array(), 6, 6);
  Array identity({6, 6});
  for (std::size_t i = 0; i < 6; ++i) identity(i, i) = 1;
  places["inputs"]["query"] = to_json(identity);
  places["mechanism"]["score"] = "location-based";
  places = with(places, "score.W", scaled(T, 1 / std::sqrt(6.0)));
  CHECK(distance(run_json(places).outputs.at("context"), ran.outputs.at("context")) <
        10 * tolerance);
  Json full = with(document("pos-attention-factorized", 6, 6), "position.F1", T);
  full = with(full, "position.F2", identity);  // the rank of the whole table
  CHECK(distance(run_json(full).outputs.at("scores"), ran.outputs.at("scores")) < tolerance);
  Json narrow = document({{"type", "pos-attention-factorized"}, {"rank", 1}}, 6, 6);
  const Array e = run_json(narrow).outputs.at("scores");
  CHECK(std::abs(e(0, 0) * e(1, 1) - e(0, 1) * e(1, 0)) < 10 * tolerance);  // rank one
}

TEST_CASE("a table for each head serves its head, and needs as many heads") {
  Json json = document("pos-attention", 6, 4);
  const Array T = random_array({2, 6, 6}, "T");
  CHECK_THROWS_WITH_AS(run_json(with(json, "position.T", T)), doctest::Contains("2 heads"), Error);
  json["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
  const Array scores = run_json(with(json, "position.T", T)).outputs.at("scores");
  for (std::size_t i = 0; i < T.data.size(); ++i)  // p = 2 inside the heads
    CHECK(std::abs(scores.data[i] - T.data[i] / std::sqrt(2.0)) < tolerance);
}

TEST_CASE("the coordinates of step 0 are the sinusoids and one constant row") {
  const Array at0 =
      run_json(document({{"type", "pos-ut-coordinate"}, {"step", 0}})).outputs.at("position");
  const Array pe = run_json(document("pos-sinusoidal")).outputs.at("position");
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t c = 0; c < 4; ++c)
      CHECK(std::abs(at0(i, c) - pe(i, c) - static_cast<double>(c % 2)) < tolerance);
  }
}

TEST_CASE("in a tree a step down and a step up come back, until the stack is full") {
  const double p = 0.5;
  const std::vector<int> parents{-1, 0, 0, 1, 1, 3, 5};
  Json json = document({{"type", "pos-tree"}, {"parents", parents}, {"depth", 3}}, 7, 8);
  json["parameters"]["position.p"] = p;
  const Array x = run_json(json).outputs.at("position");
  CHECK(x.row(0) == Row(8, 0));
  for (std::size_t i = 1; i < 7; ++i) {
    const auto up = static_cast<std::size_t>(parents[i]);
    for (std::size_t c = 0; c < 4; ++c)  // the parent's last level is lost
      CHECK(std::abs(x(i, c + 2) / p - x(up, c)) < tolerance);
    CHECK(x(i, 0) + x(i, 1) == 1);
    CHECK((x(i, 6) == 0 && x(i, 7) == 0));  // three levels of two
  }
  json["mechanism"]["position"].erase("parents");  // a full tree
  const Array full = run_json(json).outputs.at("position");
  json["mechanism"]["position"]["parents"] = {-1, 0, 0, 1, 1, 2, 2};
  CHECK(distance(full, run_json(json).outputs.at("position")) == 0);
  for (const auto& [bad, says] :
       std::vector<std::pair<Json, const char*>>{{{-1, 0, 0, 0, 1, 1, 2}, "child 3"},
                                                 {{1, 0, 0, 1, 1, 2, 2}, "never reaches the root"},
                                                 {{-1, 0, 0, 1, 1, 2, 9}, "number of a token"},
                                                 {{-1, 0}, "each of 7 tokens"}}) {
    json["mechanism"]["position"]["parents"] = bad;
    CHECK_THROWS_WITH_AS(run_json(json), doctest::Contains(says), Error);
  }
}

TEST_CASE("distance weights fall off in a straight line from the target, which gets 0 or 1") {
  Json json = document({{"type", "pos-location-weight"}, {"start", 2}, {"length", 2}});
  const Ran plain = run_json(document(Json::array()));
  const std::vector<double> away{2, 1, 0, 0, 1, 2};
  for (const bool keep : {false, true}) {
    json["mechanism"]["position"]["keep"] = keep;
    const Ran ran = run_json(json);
    for (std::size_t j = 0; j < 6; ++j) {
      const double w = away[j] == 0 ? (keep ? 1 : 0) : 1 - away[j] / 5;
      CHECK(std::abs(ran.outputs.at("position")(j, 0) - w) < tolerance);
      for (const char* name : {"key", "value"}) {
        for (std::size_t c = 0; c < 3; ++c) {
          CHECK(std::abs(ran.outputs.at(name)(j, c) - w * plain.outputs.at(name)(j, c)) <
                tolerance);
        }
      }
    }
    CHECK(distance(ran.outputs.at("query"), plain.outputs.at("query")) == 0);
  }
  json["mechanism"]["position"]["start"] = 5;
  CHECK_THROWS_WITH_AS(run_json(json), doctest::Contains("there are 6"), Error);
}

namespace {

// Those that add to scores or to the context.
Mechanisms after_the_rows() {
  Mechanisms list = of_kind(Kind::position);
  std::erase_if(list, [](const Mechanism* position) {
    const Position& record = std::get<Position>(position->behaviour);
    return record.score == nullptr && record.context == nullptr;
  });
  return list;
}

// What one head has of a parameter in the second form of "n | h n" or "a 1 | a h"; nothing if it is in another form.
std::optional<Array> of_one_head(const Mechanism& position, const std::string& name,
                                 const Array& array, std::size_t head) {
  for (const Parameter& parameter : position.parameters) {
    const std::size_t bar = parameter.shape.find('|');
    if (bar == std::string_view::npos || !name.starts_with("position.") ||
        !name.ends_with("." + std::string(parameter.name)))
      continue;
    const auto own = symbols_in(parameter.shape.substr(0, bar)),
               all = symbols_in(parameter.shape.substr(bar + 1));
    const auto h = std::find(all.begin(), all.end(), "h");
    if (h == all.end() || all.size() != array.shape.size()) return std::nullopt;
    const auto axis = static_cast<std::size_t>(h - all.begin());
    std::size_t inner = 1;
    for (std::size_t i = axis + 1; i < array.shape.size(); ++i) inner *= array.shape[i];
    Shape shape = array.shape;
    if (own.size() == all.size()) shape[axis] = 1;
    if (own.size() < all.size()) shape.erase(shape.begin() + static_cast<long>(axis));
    Array one(shape);
    for (std::size_t i = 0; i < one.data.size(); ++i)
      one.data[i] = array.data[(i / inner * array.shape[axis] + head) * inner + i % inner];
    return one;
  }
  return std::nullopt;
}

const Each single_heads(
    "gives every head what it gives the head alone, and goes row by row", after_the_rows,
    [](const Mechanism& position) {
      Json json = with_parameters(example_document(position, 2), 2);
      const Ran plain = run_json(json);
      json["mechanism"]["alignment"] = "adaptive-temperature";  // of temperature 1 here
      json["parameters"]["alignment.W"] = to_json(Array({plain.outputs.at("value").cols()}));
      json["parameters"]["alignment.U"] = to_json(Array({plain.outputs.at("query").cols()}));
      const Ran rows = run_json(json);
      for (const char* name : {"scores", "weights", "context"})
        CHECK_MESSAGE(distance(rows.outputs.at(name), plain.outputs.at(name)) < 10 * tolerance,
                      name);
      Json heads = example_document(position, 2);
      heads["inputs"].erase("memory");  // it joins the keys before the heads split them
      heads["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
      heads = with_parameters(heads, 2);
      const Ran batch = run_json(heads);
      std::size_t alike = 0;
      for (std::size_t h = 0; h < 2; ++h) {
        Json alone = heads;
        alone["mechanism"].erase("heads");
        for (const char* role : {"query", "key", "value"})
          alone["inputs"][role] = to_json(part(batch.outputs.at(role), h));
        for (const char* name : {"W_Q", "W_K", "W_V", "W_O"})
          alone["parameters"].erase("heads." + std::string(name));
        for (const auto& [name, array] : batch.parameters) {
          if (const auto own = of_one_head(position, name, array, h))
            alone["parameters"][name] = to_json(*own);
        }
        const Ran one = run_json(alone);
        const bool same = distance(one.outputs.at("context"), part(batch.outputs.at("heads"), h)) <
                          10 * tolerance;
        if (position.laws.heads_alike) CHECK(same);
        alike += same ? 1 : 0;
      }
      // A head alone has the slope of one head among two.
      CHECK(alike > 0);
    });

}  // namespace
}  // namespace attend::testing::positions::positions_test
