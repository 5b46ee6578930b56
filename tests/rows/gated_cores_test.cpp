// SPDX-License-Identifier: Apache-2.0
// Cores with gates: the recurrence is the quadratic form and any division into chunks, and gates that come from the
// token are gates that are given.
#include <cmath>

#include "tests/rows/cores.h"

namespace attend::testing::gated_cores_test {
namespace {

constexpr std::size_t n = 6, p = 4;

Json gla(const Array& alpha, Json knobs = Json::object()) {
  knobs["type"] = "gla";
  Json document = tokens(std::move(knobs), n, p);
  document["parameters"]["structure.alpha"] = to_json(alpha);
  return document;
}

Array gates(std::uint64_t seed) {
  Array alpha = random("alpha", n, p, seed);
  for (double& one : alpha.data) one = 1 / (1 + std::exp(-one));
  return alpha;
}

Array rows(const Array& x, std::size_t from, std::size_t to) {
  Array some({to - from, x.cols()});
  for (std::size_t i = from; i < to; ++i) {
    for (std::size_t c = 0; c < x.cols(); ++c) some(i - from, c) = x(i, c);
  }
  return some;
}

// scale sum_c q_ic k_jc fade(i - j), j <= i
Array faded(const Ran& ran, double fade, double scale) {
  const Array &q = ran.outputs.at("query"), &k = ran.outputs.at("key");
  Array map({n, n});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      map(i, j) = scale * inner(q.row(i), k.row(j)) * std::pow(fade, static_cast<double>(i - j));
  }
  return map;
}

}  // namespace

TEST_CASE(
    "gated linear attention with every gate at 1 is linear attention without its normaliser") {
  const Ran ran = run_json(gla(Array({n, p}, 1), {{"scale", 1}}));
  CHECK(distance(ran.outputs.at("implied"), faded(ran, 1, 1)) < close);
}

TEST_CASE("gated linear attention with a constant gate is retention") {
  const Ran ran = run_json(gla(Array({n, p}, .8)));
  CHECK(distance(ran.outputs.at("implied"), faded(ran, .8, .5)) < close);  // 1/sqrt(p)
}

TEST_CASE("the memory of gated linear attention goes from chunk to chunk") {
  const Array alpha = gates(3);
  const Json whole = gla(alpha, {{"scale", 1}});
  const Ran all = run_json(whole);
  const Array &q = all.outputs.at("query"), &states = all.outputs.at("states"),
              &v = all.outputs.at("value");
  for (std::size_t cut = 1; cut < n; ++cut) {
    Json tail = whole;
    for (const char* role : {"query", "key", "value"})
      tail["inputs"][role] = to_json(rows(all.outputs.at(role), cut, n));
    tail["parameters"]["structure.alpha"] = to_json(rows(alpha, cut, n));
    const Array inside = run_json(tail).outputs.at("context");
    for (std::size_t i = cut; i < n; ++i) {
      for (std::size_t o = 0; o < v.cols(); ++o) {
        double expected = inside(i - cut, o);
        for (std::size_t c = 0; c < p; ++c) {
          double kept = 1;
          for (std::size_t s = cut; s <= i; ++s) kept *= alpha(s, c);
          expected += q(i, c) * kept * states(cut - 1, c, o);
        }
        CHECK(all.outputs.at("context")(i, o) == doctest::Approx(expected).epsilon(1e-4));
      }
    }
  }
}

TEST_CASE("gates from the token read its whole row in every head") {
  for (const char* heads : {"multi-head", "grouped-query", "multi-query"}) {
    Json document = tokens({{"type", "gla"}, {"gates", "token"}, {"tau", 2}}, n, p);
    document["mechanism"]["heads"] = {{"type", heads}, {"count", 4}};
    const Json by_token = with_parameters(document, 7);
    const Ran ran = run_json(by_token);
    const Array &W = ran.parameters.at("structure.W_alpha"),
                &b = ran.parameters.at("structure.b_alpha");
    const Array x = random("k", n, p);
    REQUIRE(W.shape == Shape{4, p, 1});
    Array alpha({4, n, 1});
    for (std::size_t t = 0; t < 4; ++t) {
      for (std::size_t i = 0; i < n; ++i) {
        double sum = b(t, 0);
        for (std::size_t c = 0; c < p; ++c) sum += x(i, c) * W(t, c, 0);
        alpha(t, i, 0) = std::pow(1 / (1 + std::exp(-sum)), .5);
      }
    }
    Json given = by_token;
    given["mechanism"]["core"] = "gla";
    given["parameters"].erase("structure.W_alpha");
    given["parameters"].erase("structure.b_alpha");
    given["parameters"]["structure.alpha"] = to_json(alpha);
    const Ran other = run_json(given);
    for (const char* name : {"weights", "context", "states"})
      CHECK_MESSAGE(distance(ran.outputs.at(name), other.outputs.at(name)) < close,
                    heads << " " << name);
  }
}

TEST_CASE("a gate without a bias given has none") {
  Json document = tokens({{"type", "gla"}, {"gates", "token"}}, n, p);
  const Array b = run_json(document).parameters.at("structure.b_alpha");
  for (const double one : b.data) CHECK(one == 0);
}

}  // namespace attend::testing::gated_cores_test
