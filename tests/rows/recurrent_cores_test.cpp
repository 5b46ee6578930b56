// SPDX-License-Identifier: Apache-2.0
// What cores with a memory that fades promise beyond their formulas: each is a limit of another one, keeps the same
// memory however many rows there are, and computes the same in chunks.
#include <algorithm>
#include <cmath>

#include "tests/rows/recurrent.h"

namespace attend::testing::recurrent_cores_test {

using namespace recurrent;

TEST_CASE("retention with a decay of 1 is linear attention without features and normaliser") {
  const Ran ran = run_json(core("retention", {}, {{"gamma", 1}}));
  CHECK(distance(ran.outputs.at("implied"), causal_products(ran, .5)) < close);
}

TEST_CASE("retention with a decay of 0 sees only the token itself") {
  const Ran ran = run_json(core("retention", {}, {{"gamma", 0}, {"scale", 1}}));
  const Array all = causal_products(ran, 1), &map = ran.outputs.at("implied");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      CHECK(map(i, j) == doctest::Approx(i == j ? all(i, i) : 0.));
  }
}

TEST_CASE("each head of retention has its own decay, by the formula or from the list") {
  Json document = core("retention");
  document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
  Json given = document;
  given["mechanism"]["core"]["gamma"] = {1 - 1 / 32., 1 - 1 / 64.};
  equal_results(document, given);
  given["mechanism"]["core"]["gamma"] = .5;
  CHECK(distance(run_json(document).outputs.at("implied"), run_json(given).outputs.at("implied")) >
        .01);
}

TEST_CASE("lightning attention is retention whose decay follows from head and layer") {
  for (const auto& [layer, layers] : {std::pair{0., 1.}, {0., 12.}, {5., 12.}, {11., 12.}}) {
    const double f = 1 - layer / (layers - 1 + 1e-5) + 1e-5;
    equal_results(core("lightning", {}, {{"layer", layer}, {"layers", layers}}),
                  core("retention", {}, {{"gamma", std::exp(-f / 256)}, {"scale", 1}}));
  }
}

TEST_CASE("a gate that is constant is a decay, and equal gates are one gate") {
  equal_results(core("gla", {{"alpha", Array({n, p}, .8)}}),
                core("retention", {}, {{"gamma", .8}}));
  const Array alpha = gates("alpha", {n});
  equal_results(core("gla", {{"alpha", for_all_features(alpha)}}),
                core("simple-gla", {{"alpha", alpha}}));
}

TEST_CASE("Mamba-2 is its masked quadratic form, and a step of 0 skips its token") {
  Array dt = gates("dt", {n});
  dt.data[2] = 0;
  const Array A_log({}, .3), D({}, .7);
  const Ran ran = run_json(core("mamba-2", {{"dt", dt}, {"A_log", A_log}, {"D", D}}));
  Array expected = causal_products(ran, 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double time = 0;
      for (std::size_t s = j + 1; s <= i; ++s) time += dt.data[s];
      expected(i, j) *= dt.data[j] * std::exp(-std::exp(.3) * time);
      expected(i, j) += i == j ? .7 : 0;
    }
  }
  CHECK(distance(ran.outputs.at("implied"), expected) < close);
  const Array& states = ran.outputs.at("states");
  CHECK(distance(part(states, 2), part(states, 1)) == 0);
}

TEST_CASE("Mamba-2 without decay, step and pass is linear attention") {
  const Ran ran =
      run_json(core("mamba-2", {{"dt", one_each}, {"A_log", Array({}, -60)}, {"D", Array({}, 0)}}));
  CHECK(distance(ran.outputs.at("implied"), causal_products(ran, 1)) < close);
}

TEST_CASE("Mamba with equal decays is Mamba-2 in every feature of the values") {
  const Array dt = gates("dt", {n});
  Array wide({n, 3});
  for (std::size_t i = 0; i < wide.data.size(); ++i) wide.data[i] = dt.data[i / 3];
  const Ran many = run_json(
                core("mamba", {{"dt", wide}, {"A_log", Array({3, p}, .2)}, {"D", Array({3}, .4)}})),
            one = run_json(
                core("mamba-2", {{"dt", dt}, {"A_log", Array({}, .2)}, {"D", Array({}, .4)}}));
  for (const char* name : {"context", "state", "states"})
    CHECK(distance(many.outputs.at(name), one.outputs.at(name)) < close);
  for (std::size_t c = 0; c < 3; ++c)
    CHECK(distance(part(many.outputs.at("implied"), c), one.outputs.at("implied")) < close);
}

TEST_CASE("log-linear attention with equal levels has one gate, and without levels only itself") {
  const Array alpha = gates("alpha", {n});
  const Ran all = run_json(core("log-linear", {{"alpha", alpha}, {"lambda", Array({n, 4}, 1)}})),
            one = run_json(core("simple-gla", {{"alpha", alpha}}, {{"scale", 1}}));
  for (const char* name : {"context", "implied"})
    CHECK(distance(all.outputs.at(name), one.outputs.at(name)) < close);
  CHECK(all.outputs.at("state").shape == Shape{4, p, 3});
  Array own({n, 4});
  for (std::size_t i = 0; i < n; ++i) own(i, 0) = 1;
  const Ran alone = run_json(core("log-linear", {{"alpha", alpha}, {"lambda", own}}));
  const Array products = causal_products(alone, 1);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      CHECK(alone.outputs.at("implied")(i, j) ==
            doctest::Approx(i == j ? products(i, i) : 0.).epsilon(1e-4));
  }
}

TEST_CASE("HGRN2 whose gates are 1 writes nothing, and its memory is bounded by its values") {
  const Ran closed = run_json(core("hgrn2", {{"f", Array({n, p}, 1)}}));
  for (const double x : closed.outputs.at("context").data) CHECK(x == 0);
  const Ran ran = run_json(core("hgrn2", {{"f", gates("f", {n, p})}}));
  const Array &q = ran.outputs.at("query"), &v = ran.outputs.at("value");
  double largest = 0;
  for (const double x : v.data) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < n; ++i) {
    double length = 0;
    for (const double x : q.row(i)) length += std::abs(x);
    for (const double x : ran.outputs.at("context").row(i))
      CHECK(std::abs(x) <= largest * length * 1.0001);
  }
}

TEST_CASE("rows are computed in chunks of any size with the same result") {
  constexpr std::size_t rows = 13;
  Array alpha = gates("alpha", {rows});
  alpha.data[4] = 0;
  alpha.data[7] = 1;
  alpha.data[8] = -.3;  // what the formula says, sensible or not
  for (const auto& [id, given] : {std::pair<const char*, Given>{"retention", {}},
                                  {"lightning", {}},
                                  {"simple-gla", {{"alpha", alpha}}},
                                  {"mamba-2", {{"dt", alpha}}}}) {
    for (const bool heads : {false, true}) {
      Json document = core(id, heads ? Given{} : given, {{"chunk", 99}}, rows);
      if (heads) {
        document["mechanism"]["heads"] = {{"type", "grouped-query"}, {"count", 4}, {"groups", 2}};
        document = with_parameters(document, 6);
      }
      document["gradient"] = {{"of", "context"}};
      const Ran steps = run_json(document);
      for (const std::size_t chunk : {1, 2, 3, 5, 12, 13, 14}) {
        CAPTURE(id);
        CAPTURE(chunk);
        document["mechanism"]["core"]["chunk"] = chunk;
        const Ran ran = run_json(document);
        for (const char* name : {"context", "implied", "state", "states"})
          CHECK_MESSAGE(distance(ran.outputs.at(name), steps.outputs.at(name)) < close, name);
        for (const auto& [name, slope] : steps.gradients)
          CHECK_MESSAGE(distance(ran.gradients.at(name), slope) < 10 * close, name);
      }
    }
  }
}

TEST_CASE(
    "rows so many that their states are not kept have the memory and the context of the steps") {
  constexpr std::size_t many = 90000;  // p dv of each row would be more than a million numbers
  Array ones({many, 1}, 1);
  Json document = core("retention", {}, {{"gamma", .5}, {"scale", 1}}, many);
  for (const char* role : {"query", "key"})
    document["inputs"][role] = to_json(Array({many, p}, .5));
  document["outputs"] = {"context", "state"};
  const Ran ran = run_json(document);
  CHECK_FALSE(ran.outputs.contains("states"));
  const Array v = run_json(core("retention", {}, {}, many)).outputs.at("value");
  for (std::size_t c = 0; c < v.cols(); ++c) {
    double state = 0;
    for (std::size_t t = many - 60; t < many; ++t) state = .5 * state + .5 * v(t, c);
    CHECK(ran.outputs.at("state")(0, c) == doctest::Approx(state).epsilon(1e-4));
    CHECK(ran.outputs.at("context")(many - 1, c) == doctest::Approx(2 * state).epsilon(1e-4));
  }
}

}  // namespace attend::testing::recurrent_cores_test
