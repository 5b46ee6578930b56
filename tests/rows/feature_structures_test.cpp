// SPDX-License-Identifier: Apache-2.0
// Limit cases and equalities of the structures whose weights have a feature axis, and of gates.
#include "catalogue/tables.h"
#include "tests/rows/structures.h"

namespace attend::testing::feature_structures_test {

TEST_CASE("token2token: scores stay within c") {
  for (const double c : {.5, 5.}) {
    Json document = structure("token2token", knobs({{"c", c}}));
    parameter(document, "W1") = to_json(Array({6, 6}, 100));
    const Array found = run_json(document).outputs.at("scores");
    for (const double e : found.data) CHECK(std::abs(e) <= c * (1 + tolerance));
  }
}

TEST_CASE("token2token: without its own place a token gives itself no weight") {
  Array others({5, 5}, 1);
  for (std::size_t i = 0; i < 5; ++i) others(i, i) = 0;
  const Ran ran = run_json(structure("token2token", knobs({{"mask", allowed(others)}})));
  const Array& weights = ran.outputs.at("weights");
  for (std::size_t f = 0; f < 6; ++f) {
    for (std::size_t i = 0; i < 5; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 5; ++j) sum += weights(i, j, f);
      CHECK(weights(i, i, f) == 0);
      CHECK(std::abs(sum - 1) < 10 * tolerance);
    }
  }
}

TEST_CASE("token2token: the first token that looks back sees nobody, keeps its gated self") {
  Array earlier({5, 5});
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < i; ++j) earlier(i, j) = 1;
  }
  Json document = structure("token2token", knobs({{"mask", allowed(earlier)}}));
  parameter(document, "W_x") = to_json(identity(6));
  parameter(document, "b_x") = to_json(Array({6}));
  document["mechanism"]["act"] = "identity";
  const Ran ran = run_json(document);
  const Array x = input(document, "x");
  for (std::size_t f = 0; f < 6; ++f) {
    CHECK(ran.outputs.at("context")(0, f) == 0);
    CHECK(std::abs(ran.outputs.at("output")(0, f) - ran.outputs.at("gate")(0, f) * x(0, f)) <
          tolerance);
  }
  REQUIRE(ran.warnings.size() == 1);
  CHECK(ran.warnings[0].message.find("row 0") != std::string::npos);
}

TEST_CASE("source2token: equal columns of W2 make it additive self-attention") {
  Json document = structure("source2token");
  const Array w = column(Array(input(document, "x")), 0);  // any five numbers
  Array W2({5, 6}), W1({6, 5}, .1), b1({5}, .3);
  for (std::size_t u = 0; u < 5; ++u) {
    W1(u, u) = -1;
    for (std::size_t f = 0; f < 6; ++f) W2(u, f) = w(u);
  }
  parameter(document, "W1") = to_json(W1);
  parameter(document, "b1") = to_json(b1);
  parameter(document, "W2") = to_json(W2);
  parameter(document, "b2") = to_json(Array({6}));
  const Array x = input(document, "x");
  const Ran ran = run_json(document);
  const Ran other =
      attend({{"type", "self-additive"}, {"act", "elu"}}, Array({1, 6}), x, x,
             {{"score.W", to_json(W1)}, {"score.b", to_json(b1)}, {"score.w", to_json(w)}});
  CHECK(ran.outputs.at("output").shape == Shape{1, 6});  // one vector
  CHECK(near(ran.outputs.at("output"), other.outputs.at("context")));
}

TEST_CASE("generalized pooling: one head is source2token, and heads are pooled side by side") {
  const Json many = structure("generalized-pooling", knobs({{"count", 3}}));
  const Ran all = run_json(many);
  for (std::size_t t = 0; t < 3; ++t) {
    Json one = structure("source2token", knobs({{"act", "relu"}}));
    Json single = structure("generalized-pooling", knobs({{"count", 1}}));
    for (const char* name : {"W1", "b1", "W2", "b2"}) {
      const Array slice = part(all.parameters.at(std::string("structure.") + name), t);
      Shape front = slice.shape;
      front.insert(front.begin(), 1);
      parameter(one, name) = to_json(slice);
      parameter(single, name) = to_json(reshaped(slice, front));
    }
    const Ran alone = run_json(one);
    CHECK(near(run_json(single).outputs.at("context"), alone.outputs.at("context")));
    CHECK(near(part(all.outputs.at("weights"), t), part(alone.outputs.at("weights"), 0)));
    for (std::size_t f = 0; f < 6; ++f)
      CHECK(std::abs(all.outputs.at("context")(t * 6 + f) - alone.outputs.at("context")(f)) <
            10 * tolerance);
  }
}

TEST_CASE("generalized pooling: the penalty is one of every feature's heads by tokens map") {
  if (find_mechanism(Kind::penalty, "frobenius-penalty") == nullptr) return;
  const Json penalties = {{"penalties", Json::array({"frobenius-penalty"})}};
  const Ran ran = run_json(structure("generalized-pooling", knobs(penalties)));
  const Array& a = ran.outputs.at("weights");
  double expected = 0;
  for (std::size_t f = 0; f < 6; ++f) {
    for (std::size_t s = 0; s < 5; ++s) {
      for (std::size_t t = 0; t < 5; ++t) {
        double overlap = s == t ? -1 : 0;
        for (std::size_t j = 0; j < 5; ++j) overlap += a(s, j, f) * a(t, j, f);
        expected += overlap * overlap;
      }
    }
  }
  CHECK(std::abs(ran.outputs.at("penalty")() - expected) < 100 * tolerance);
}

TEST_CASE("pairwise attention over channels: a footprint of one place returns beta of that place") {
  for (const char* delta : {"sum", "diff", "had", "dot", "concat"}) {
    const Json document =
        structure("attention-over-dims-pairwise", knobs({{"footprint", 1}, {"delta", delta}}));
    const Ran ran = run_json(document);
    const Array x = reshaped(input(document, "image"), {12, 2});
    const Array beta = product(x, ran.parameters.at("structure.W_beta"));
    CHECK(near(reshaped(ran.outputs.at("output"), {12, 2}), beta));
  }
  CHECK_THROWS_WITH_AS(
      (void)run_json(structure("attention-over-dims-pairwise", knobs({{"footprint", 4}}))),
      doctest::Contains("odd"), Error);
}

TEST_CASE("pairwise attention reads a grey image, and its widths off the one map that is given") {
  Json document =
      example_document(*find_mechanism(Kind::structure, "attention-over-dims-pairwise"));
  document["inputs"]["image"] = to_json(Array({3, 4}, .5));
  document["mechanism"]["delta"] = "concat";
  document["parameters"]["structure.W_gamma"] = to_json(Array({6, 5}, .1));
  const Ran ran = run_json(document);
  CHECK(ran.parameters.at("structure.W_phi").shape == Shape{1, 3});
  CHECK(ran.outputs.at("output").shape == Shape{3, 4, 5});
  document["mechanism"]["delta"] = "dot";  // one number a pair says nothing of phi's width
  document["parameters"]["structure.W_gamma"] = to_json(Array({1, 5}, .1));
  document["inputs"]["image"] = to_json(Array({2, 3, 4}, .5));
  CHECK(run_json(document).parameters.at("structure.W_phi").shape == Shape{4, 4});
}

TEST_CASE("inner attention: gates lie between 0 and 1 and act on the raw inputs") {
  Json document = structure("inner-attention");
  const Array x = input(document, "key");
  const Ran ran = run_json(document);
  for (std::size_t j = 0; j < x.rows(); ++j) {
    const double gate = ran.outputs.at("gate")(j);
    CHECK((gate > 0 && gate < 1));
    for (std::size_t c = 0; c < x.cols(); ++c)
      CHECK(std::abs(ran.outputs.at("output")(j, c) - gate * x(j, c)) < tolerance);
  }
  parameter(document, "M") = to_json(Array({6, 3}));  // nothing asked: every gate half open
  const Array found = run_json(document).outputs.at("gate");
  for (const double gate : found.data) CHECK(gate == .5);
}

}  // namespace attend::testing::feature_structures_test
