// SPDX-License-Identifier: Apache-2.0
// What the catalogue promises of the rows whose terms depend on distances.
#include <cmath>
#include <doctest/doctest.h>

#include "tests/rows/position_documents.h"

namespace attend::testing::positions::relative_positions_test {

TEST_CASE("Shaw: reach 0 shifts the context, zero tables do nothing, only distances count") {
  const Array shift = random_array({1, 3}, "a_V");
  const Ran base = run_json(document(Json::array()));
  const Ran none =
      run_json(with(document({{"type", "pos-relative-shaw"}, {"k", 0}}), "position.a_V", shift));
  CHECK(distance(none.outputs.at("weights"), base.outputs.at("weights")) < 10 * tolerance);
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t c = 0; c < 3; ++c) {
      CHECK(std::abs(none.outputs.at("context")(i, c) - base.outputs.at("context")(i, c) -
                     shift(c)) < 10 * tolerance);
    }
  }
  Json zero = with(document("pos-relative-shaw"), "position.a_K", zeros_of({9, 4}));
  zero = with(zero, "position.a_V", zeros_of({9, 3}));
  CHECK(distance(run_json(zero).outputs.at("context"), base.outputs.at("context")) < tolerance);
  check_shift(with(document("pos-relative-shaw"), "position.a_K", random_array({9, 4}, "a")), 6);
}

TEST_CASE("Music: masked to blocks, only the last rows of the table matter") {
  Json json = document("pos-relative-music");
  json["mechanism"]["mask"] = Json::parse(R"([{"type": "mask-explicit", "allowed":
      [[1,0,0,0,0,0],[1,1,0,0,0,0],[1,1,1,0,0,0],[1,1,1,1,0,0],[0,0,1,1,1,0],[0,0,1,1,1,1]]}])");
  Array table = random_array({6, 4}, "E_r");
  const Ran one = run_json(with(json, "position.E_r", table));
  for (std::size_t r = 0; r < 2; ++r) {  // distances 5 and 4: blocks of 2 see at most 3 back
    for (std::size_t c = 0; c < 4; ++c) table(r, c) += 1;
  }
  const Ran other = run_json(with(json, "position.E_r", table));
  CHECK(distance(one.outputs.at("context"), other.outputs.at("context")) < tolerance);
  CHECK(distance(one.outputs.at("scores"), other.outputs.at("scores")) > 0.01);
}

TEST_CASE("DeBERTa: zero tables leave the product over sqrt(3d), content to position is Shaw's") {
  const std::size_t d = 4, k = 2;
  const Array product = run_json(document(Json::array())).outputs.at("scores");  // over sqrt(d)
  Json json = with(document({{"type", "pos-disentangled"}, {"k", k}}), "position.K_r",
                   zeros_of({2 * k, d}));
  json = with(json, "position.Q_r", zeros_of({2 * k, d}));
  for (const char* score : {"dot", "scaled-dot"}) {  // its own scale replaces theirs
    json["mechanism"]["score"] = score;
    CHECK(distance(run_json(json).outputs.at("scores"), scaled(product, 1 / std::sqrt(3.0))) <
          tolerance);
  }
  json["mechanism"]["position"].update({{"c2p", false}, {"p2c", false}});
  CHECK(distance(run_json(json).outputs.at("scores"), product) < tolerance);

  const Array K_r = random_array({2 * k, d}, "K_r");
  Array a_K({2 * k + 1, d});
  for (std::size_t c = 0; c <= 2 * k; ++c) {  // c counts j - i, the table of DeBERTa i - j
    for (std::size_t f = 0; f < d; ++f) a_K(c, f) = K_r(std::min(2 * k - c, 2 * k - 1), f);
  }
  const Array one =
      run_json(with(document({{"type", "pos-disentangled"}, {"p2c", false}}), "position.K_r", K_r))
          .outputs.at("scores");
  const Array shaw =
      run_json(with(document("pos-relative-shaw"), "position.a_K", a_K)).outputs.at("scores");
  CHECK(distance(one, scaled(shaw, 1 / std::sqrt(2.0))) < 10 * tolerance);
  check_shift(document("pos-disentangled"), 6);
}

TEST_CASE("Transformer-XL: zeros leave the product, a memory is the sequence that came before") {
  const auto xl = [](Json json, double size) {
    for (const char* name : {"u", "v"})
      json = with(json, "position." + std::string(name), scaled(random_array({4}, name), size));
    json["inputs"].erase("value");
    json["mechanism"]["mask"] = "mask-causal";
    return with(json, "position.W_R", scaled(random_array({4, 4}, "W_R"), size));
  };
  Json plain = document(Json::array());
  plain["inputs"].erase("value");
  plain["mechanism"]["mask"] = "mask-causal";
  const Ran zero = run_json(xl(document("pos-relative-xl"), 0));
  CHECK(distance(zero.outputs.at("scores"), run_json(plain).outputs.at("scores")) < tolerance);
  CHECK(distance(zero.outputs.at("context"), run_json(plain).outputs.at("context")) < tolerance);

  const Json whole = xl(document("pos-relative-xl"), 1);
  const Ran long_run = run_json(whole);
  const Array x = long_run.outputs.at("query");
  Json segment = whole;
  segment["inputs"] = {{"query", to_json(rows_of(x, 4, 6))}, {"memory", to_json(rows_of(x, 0, 4))}};
  const Ran late = run_json(segment);
  for (const char* name : {"scores", "weights", "context"}) {
    CHECK(distance(late.outputs.at(name), rows_of(long_run.outputs.at(name), 4, 6)) <
          10 * tolerance);
  }
  check_shift(document("pos-relative-xl"), 6);
  segment["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
  for (const char* name : {"u", "v", "W_R"})
    segment["parameters"].erase("position." + std::string(name));
  const Ran heads = run_json(segment);
  CHECK(heads.outputs.at("key").shape == Shape{2, 6, 2});
  CHECK(heads.parameters.at("position.W_R").shape == Shape{4, 2});
  segment["inputs"]["value"] = to_json(random_array({2, 3}, "v"));
  CHECK_THROWS_WITH_AS(run_json(segment), doctest::Contains("3 wide"), Error);
}

}  // namespace attend::testing::positions::relative_positions_test
