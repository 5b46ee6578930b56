// SPDX-License-Identifier: Apache-2.0
// What the catalogue says of scores that compare or combine: equalities between rows, bounds.
#include "tests/each.h"
#include "tests/rows/score_tables.h"

namespace attend::testing::scores_test {

using namespace tables;

TEST_CASE("additive, concat and stacked-san-score are one function under three names") {
  const Array W2 = random({3, 6}, "W2"), narrow = random({5, 3}, "narrow");  // dq != dk
  const Array e = scores("additive", q, narrow, {{"W1", W}, {"W2", W2}, {"b", b}, {"w", w}});
  same(e, scores("concat", q, narrow, {{"W", stacked(W2, W)}, {"b", b}, {"w", w}}));
  same(e, scores("stacked-san-score", q, narrow, {{"W_I", W2}, {"W_Q", W}, {"b", b}, {"w_P", w}}));
  CHECK(largest(e) <= std::accumulate(w.data.begin(), w.data.end(), 0.0,
                                      [](double s, double x) { return s + std::abs(x); }));
  for (const char* id : {"additive", "concat", "self-additive", "deep"})
    same(weights(id, q, k, {{"w", Array({6})}}), Array({4, 5}, 0.2));
}

TEST_CASE("keys are mapped once, whatever the number of queries") {
  const Json document_ = document("additive", q, k, {});
  const Compiled recording = compile(read_document(document_));
  bool once = false;
  for (const auto result = run(recording, Detail::everything);
       const ResultTensor& t : result.tensors)
    once = once || (t.name().find("K W_2") != std::string::npos && t.shape == Shape{5, 6});
  CHECK(once);
  for (const char* id : {"general", "biased-general", "biaffine", "decomposable", "gat-score",
                         "trilinear", "hermitian", "co-affinity", "activated-general"})
    CHECK_MESSAGE(only_tables(document(id, q, k, {})), id);
  CHECK_FALSE(only_tables(document_));
}

TEST_CASE("scaled-dot is dot over the root of the width, of variance one") {
  same(scores("scaled-dot", q, k), (1 / std::sqrt(6)) * scores("dot", q, k));
  const Array many = random({300, 64}, "many"), keys = random({300, 64}, "keys");
  const Array e = scores("scaled-dot", many, keys);
  CHECK(inner(e.data, e.data) / static_cast<double>(e.data.size()) ==
        doctest::Approx(1).epsilon(.05));
}

TEST_CASE("similarities: what they do not see, and how far they go") {
  const Array shift = random({6}, "shift");
  same(scores("dot-over-keynorm", q, k), scores("dot-over-keynorm", q, 7 * k));
  const Array cosine = scores("similarity-cosine", q, k);
  for (std::size_t i = 0; i < 4; ++i) {
    const double length = std::sqrt(inner(q.row(i), q.row(i)));
    for (std::size_t j = 0; j < 5; ++j)
      CHECK(scores("dot-over-keynorm", q, k)(i, j) == doctest::Approx(length * cosine(i, j)));
  }
  same(scores("similarity-cosine", 3 * q, 5 * k), cosine);
  const Json sharp = with("similarity-cosine", {{"beta", 4}});
  CHECK(largest(scores(sharp, q, q)) <= 4 + 1e-5);
  same(scores(sharp, unit_rows(q), unit_rows(k)), 4 * scores("dot", unit_rows(q), unit_rows(k)));
  for (const bool squared : {false, true}) {
    const Json l2 = with("similarity-l2", {{"squared", squared}});
    same(scores(l2, q + shift, k + shift), scores(l2, q, k));
    const Array self = scores(l2, q, q);
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t j = 0; j < 4; ++j) CHECK((i == j ? self(i, j) == 0 : self(i, j) < 0));
    }
  }
  const Array gaps = scores("similarity-l2", q, k);
  const Array squares = scores(with("similarity-l2", {{"squared", true}, {"scale", 3}}), q, k);
  for (std::size_t i = 0; i < gaps.data.size(); ++i)
    CHECK(squares.data[i] == doctest::Approx(-3 * gaps.data[i] * gaps.data[i]));
  // With keys of one length the squared distance is twice the product, up to a number a row.
  same(weights(with("similarity-l2", {{"squared", true}}), q, unit_rows(k)),
       weights("dot", 2 * q, unit_rows(k)));
  for (const char* measure : {"l1", "pearson", "angular"}) {
    const Json json = with("similarity-generic", {{"measure", measure}});
    same(scores(json, q, k), transposed(scores(json, k, q)));
  }
  const Json angular = with("similarity-generic", {{"measure", "angular"}});
  CHECK(scores(angular, q, 1e-3 * q)(2, 2) == doctest::Approx(1).epsilon(1e-6));
  CHECK(scores(angular, q, -2 * q)(2, 2) == doctest::Approx(0).epsilon(1e-6));
  const Json pearson = with("similarity-generic", {{"measure", "pearson"}});
  same(scores(pearson, 3 * q + number(2), k), scores(pearson, q, k));
  // The mean of equal numbers need not be that number: constant rows are told by their ends.
  for (std::size_t i = 1; i < 50; ++i) {
    const Array constant({4, 6}, .1 * static_cast<double>(i));
    same(scores(pearson, constant, constant), Array({4, 4}));
  }
}

TEST_CASE("similarity-rbf goes from uniform to the nearest key alone") {
  same(weights(with("similarity-rbf", {{"s", 1e7}}), q, k), Array({4, 5}, 0.2));
  const Array sharp = weights(with("similarity-rbf", {{"s", 0.01}}), q, k);
  const Array gaps = scores("similarity-l2", q, k);
  for (std::size_t i = 0; i < 4; ++i) {
    const Row row = gaps.row(i);
    const auto nearest = std::max_element(row.begin(), row.end()) - row.begin();
    CHECK(sharp(i, nearest) == doctest::Approx(1));
  }
}

Mechanisms blind_to_queries() {
  Mechanisms list = every_score();
  std::erase_if(list, [](const Mechanism* score) {
    return std::get<Score>(score->behaviour).reads_query || score->roles.size() > 0;
  });
  return list;
}

const Each unmoved("is the same for every query", blind_to_queries, [](const Mechanism& score) {
  const Array e = scores(std::string(score.id), q, k);
  same(e, scores(std::string(score.id), other, k));
  for (std::size_t j = 0; j < e.cols(); ++j) {
    for (std::size_t i = 0; i < e.rows(); ++i) CHECK(e(i, j) == e(0, j));
  }
});

TEST_CASE("scores that no query moves, and one that no key moves") {
  CHECK(blind_to_queries().size() > 3);
  same(scores("key-linear", q, k, {{"w", w}}), scores("self-dot", q, k, {{"q", w}}));
  Array constant({4, 6});
  for (std::size_t i = 0; i < constant.data.size(); ++i) constant.data[i] = w.data[i % 6];
  same(scores("self-dot", q, k, {{"q", w}}), scores("dot", constant, k));
  const Array own = scores("self-additive", q, k, {{"W", W}, {"b", b}, {"w", w}});
  const Given asked{{"W1", Array({6, 6})}, {"W2", W}, {"b", b}, {"w", w}};
  same(own, scores("additive", q, k, asked));
  Given moved = asked;  // a constant query is a bias
  moved["W1"] = eye(6);
  moved["b"] = b + (-1 * w);
  same(own, scores("additive", constant, k, moved));
  const Json location = with("location-based", {{"N", 5}});
  same(scores(location, q, k), scores(location, q, 3 * k + b));
  same(weights(location, q, k), weights(location, q, reversed(k)));
  CHECK_THROWS_AS((void)scores(with("location-based", {{"N", 4}}), q, k), Error);
  Json outside = document("external-energy", q, k, {});
  const Array energy = random({4, 5}, "energy");
  outside["inputs"]["energy"] = to_json(energy);
  same(run_json(outside).outputs.at("scores"), energy);
}

}  // namespace attend::testing::scores_test
