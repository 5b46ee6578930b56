// SPDX-License-Identifier: Apache-2.0
// Cores that attend to a chosen part of the keys: with everything chosen they are causal softmax attention, and what
// they choose is what their scores say, however the rows are cut.
#include <cmath>

#include "catalogue/tables.h"
#include "experiment/service.h"
#include "tests/rows/cores.h"

namespace attend::testing::chosen_blocks_test {
namespace {

constexpr std::size_t n = 7;

Json core(const char* id, Json knobs) {
  knobs["type"] = id;
  return tokens(std::move(knobs), n);
}

Array of_gates(double compressed, double chosen, double window) {
  Array g({n, 3});
  for (std::size_t i = 0; i < n; ++i) {
    g(i, 0) = compressed;
    g(i, 1) = chosen;
    g(i, 2) = window;
  }
  return g;
}

Json nsa(const Array& g, Json knobs) {
  Json document = core("nsa", std::move(knobs));
  document["parameters"]["structure.g"] = to_json(g);
  return document;
}

double chosen_in(const Array& choice, std::size_t i) {
  double count = 0;
  for (const double x : choice.row(i)) count += x;
  return count;
}

}  // namespace

TEST_CASE("with every block chosen, cores of chosen blocks are causal softmax attention") {
  for (const std::size_t block : {1, 2, 3, 7, 20}) {
    for (const std::size_t top : {7, 50}) {
      CAPTURE(block);
      CHECK(gap(core("moba", {{"block", block}, {"top", top}}), only_causal) < close);
      CHECK(gap(core("quest", {{"page", block}, {"top", top}}), only_causal) < close);
      CHECK(gap(core("dsa", {{"top", top}}), only_causal) < close);
      CHECK(gap(nsa(of_gates(0, 1, 0), {{"block", block}, {"top", top}}), only_causal) < close);
    }
  }
}

TEST_CASE("the formula of a mean has zeros behind the keys only where the last block is shorter") {
  const auto means = [](std::size_t block) -> std::string {
    const Json ran = parse_json(run_document(core("moba", {{"block", block}}).dump()));
    for (const Json& step : ran["steps"]) {
      if (step["name"] == "\\bar{k}") return step["formula"];
    }
    return "";
  };
  CHECK(means(7).find("\\sum") != std::string::npos);
  CHECK(means(7).find(";\\,0") == std::string::npos);
  CHECK(means(3).find(";\\,0") != std::string::npos);
}

TEST_CASE("with one block chosen, a query sees its own block alone") {
  const Ran ran = run_json(core("moba", {{"block", 3}, {"top", 1}}));
  const Array& weights = ran.outputs.at("weights");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) CHECK((weights(i, j) > 0) == (j <= i && i / 3 == j / 3));
    CHECK(chosen_in(ran.outputs.at("chosen"), i) == 1);
  }
}

TEST_CASE("a choice has as many blocks as asked for, and never one that is ahead") {
  for (const char* id : {"moba", "quest", "nsa"}) {
    CAPTURE(id);
    const Ran ran =
        run_json(core(id, {{id == std::string("quest") ? "page" : "block", 2}, {"top", 3}}));
    const Array& choice = ran.outputs.at("chosen");
    for (std::size_t i = 0; i < n; ++i) {
      CHECK(chosen_in(choice, i) == std::min<double>(3, static_cast<double>(i / 2 + 1)));
      for (std::size_t c = i / 2 + 1; c < choice.cols(); ++c) CHECK(choice(i, c) == 0);
    }
  }
}

TEST_CASE("pages of one key are the largest products themselves, and a page's score bounds them") {
  const Ran ran = run_json(core("quest", {{"page", 1}, {"top", 3}}));
  const Array &q = ran.outputs.at("query"), &k = ran.outputs.at("key"),
              &index = ran.outputs.at("index");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j)
      CHECK(index(i, j) == doctest::Approx(inner(q.row(i), k.row(j))).epsilon(1e-4));
  }
  const Array wide = run_json(core("quest", {{"page", 3}})).outputs.at("index");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) CHECK(wide(i, j / 3) >= inner(q.row(i), k.row(j)) - 1e-4);
  }
}

TEST_CASE("the window of native sparse attention alone is a sliding window") {
  const Ran ran = run_json(nsa(of_gates(0, 0, 1), {{"window", 3}, {"block", 2}}));
  Json plain = core("nsa", Json::object());
  plain["mechanism"] = {{"type", "attention"},
                        {"mask", {"mask-causal", {{"type", "mask-window"}, {"window", 2}}}}};
  CHECK(distance(ran.outputs.at("context"), run_json(plain).outputs.at("context")) < close);
}

TEST_CASE("rows of native sparse attention sum to their gates once a block is complete") {
  const Ran ran = run_json(nsa(of_gates(.2, .5, .4), {{"block", 2}, {"top", 2}, {"window", 2}}));
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (const double x : ran.outputs.at("weights").row(i)) sum += x;
    CHECK(sum == doctest::Approx(i == 0 ? .9 : 1.1).epsilon(1e-4));
  }
}

TEST_CASE("ties of the index go to the lower key, and its scale does not matter") {
  Json document = with_parameters(core("dsa", {{"top", 2}}), 4);
  const Ran plain = run_json(document);
  for (Json& x : document["parameters"]["structure.W_w"]["data"]) x = 3 * x.get<double>();
  CHECK(distance(run_json(document).outputs.at("context"), plain.outputs.at("context")) < close);
  for (Json& x : document["parameters"]["structure.W_w"]["data"]) x = 0;
  const Array choice = run_json(document).outputs.at("chosen");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) CHECK(choice(i, j) == (j <= i && j < 2 ? 1 : 0));
  }
}

TEST_CASE("all heads of the DeepSeek index share one choice") {
  Json document = core("dsa", {{"top", 2}});
  document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
  const Ran ran = run_json(document);
  CHECK(ran.outputs.at("chosen").shape == Shape{n, n});
  CHECK(ran.parameters.at("structure.W_Q").shape == Shape{2, 4, 4});
  for (std::size_t t = 0; t < 2; ++t) {
    const Array weights = part(ran.outputs.at("weights"), t);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j)
        CHECK((weights(i, j) > 0) == (ran.outputs.at("chosen")(i, j) > 0));
    }
  }
}

TEST_CASE("many rows are weighed some at a time, with the same result") {
  constexpr std::size_t many = 1100;  // more than a million pairs
  for (Json knobs : {Json{{"type", "moba"}, {"block", 16}, {"top", 3}},
                     Json{{"type", "quest"}, {"page", 16}}, Json{{"type", "dsa"}, {"top", 20}},
                     Json{{"type", "nsa"}, {"block", 16}, {"top", 4}, {"window", 9}}}) {
    CAPTURE(knobs["type"]);
    Json document = with_parameters(tokens(std::move(knobs), many), 2);
    document["outputs"] = {"context", "weights", "value"};
    const Ran ran = run_json(document);
    CHECK(distance(ran.outputs.at("context"),
                   product(ran.outputs.at("weights"), ran.outputs.at("value"))) < close);
  }
}

}  // namespace attend::testing::chosen_blocks_test
