// SPDX-License-Identifier: Apache-2.0
// What the catalogue promises of the alignments since 2017: their limit cases, and what is left for no key.
#include <cmath>

#include "experiment/running/packed.h"
#include "tests/rows/alignment_case.h"

namespace attend::testing::alignments_today_test {
namespace {

#ifdef ATTEND_DOUBLE
constexpr double near = 1e-12;
#else
constexpr double near = 1e-5;
#endif

Array energy(std::size_t m = 4, std::size_t n = 6) { return Case::noise({m, n}, 2, "e"); }

Array lower(std::size_t m, std::size_t n) {
  Array mask({m, n});
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) mask(i, j) = j <= i ? 1 : 0;
  return mask;
}

Array weights(const Array& e, const Json& alignment, Json parameters = Json::object()) {
  return Case{e, alignment, std::move(parameters)}.weights();
}

const char* const with_remainder[] = {"softmax-one", "learned-sink", "stick-breaking"};

}  // namespace

TEST_CASE("softmax-one is softmax over a further score 0, whose weight goes to no key") {
  const Array e = energy();
  Array with_zero({4, 7});
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 6; ++j) with_zero(i, j + 1) = e(i, j);
  const Ran one = Case{e, "softmax-one"}.run();
  const Array all = weights(with_zero, "softmax");
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(std::abs(one.outputs.at("remainder")(i) - all(i, 0)) < near);
    for (std::size_t j = 0; j < 6; ++j)
      CHECK(std::abs(one.outputs.at("weights")(i, j) - all(i, j + 1)) < near);
  }
  CHECK(distance(weights(e, with("softmax-one", {{"extra", 0}})), weights(e, "softmax")) < near);
  // It changes when a number is added to all scores, and gives nothing when all of them are very low.
  CHECK(distance(weights(scaled(e, 1, -3), "softmax-one"), one.outputs.at("weights")) > .01);
  for (const auto map = weights(scaled(e, 1, -1e4), "softmax-one"); const double a : map.data)
    CHECK(a == 0);
}

TEST_CASE(
    "a sink of 0 is softmax-one, a very low one is softmax, and scores and sink move together") {
  const Array e = energy();
  CHECK(distance(weights(e, "learned-sink"), weights(e, "softmax-one")) < near);
  CHECK(distance(weights(e, "learned-sink", {{"s", -1e4}}), weights(e, "softmax")) < near);
  CHECK(distance(weights(scaled(e, 1, 3), "learned-sink", {{"s", 3.5}}),
                 weights(e, "learned-sink", {{"s", .5}})) < near);
}

TEST_CASE("weights and remainder sum to 1, and a row that sees nothing keeps all of it") {
  Array mask = lower(4, 6);
  for (std::size_t j = 0; j < 6; ++j) mask(0, j) = 0;
  for (const char* id : with_remainder) {
    CAPTURE(id);
    for (const bool masked : {false, true}) {
      Case one{energy(), id};
      if (masked) one.mask = mask;
      const Ran ran = one.run();
      for (std::size_t i = 0; i < 4; ++i) {
        const double rest = ran.outputs.at("remainder")(i);
        CHECK(std::abs(sum_of(ran.outputs.at("weights").row(i)) + rest - 1) < near);
        if (masked && i == 0) CHECK(rest == 1);
      }
    }
  }
  // Without a further entry a row of softmax-one has nothing left, but where no key is allowed all of it.
  Case closed{energy(), with("softmax-one", {{"extra", 0}})};
  closed.mask = mask;
  const Array rest = closed.run().outputs.at("remainder");
  CHECK(rest.data == std::vector<double>{1, 0, 0, 0});
}

TEST_CASE("the remainder is a share for each query, in heads and row by row too") {
  Json json = Case{energy(), "learned-sink"}.document();
  const auto entry = [](const Json& document) {
    const Json directory = Json::parse(run_packed(document.dump()).directory);
    for (const Json& one : directory["tensors"])
      if (one["name"] == "remainder") return one;
    return Json();
  };
  Json found = entry(json);
  CHECK(found["kind"] == "probability");
  CHECK(found["shape"] == Json{4});
  json["mechanism"] = {{"type", "attention"},
                       {"alignment", "stick-breaking"},
                       {"heads", {{"type", "multi-head"}, {"count", 2}}}};
  json["inputs"].erase("energy");
  CHECK(entry(json)["shape"] == Json{2, 4});
  json["mechanism"]["heads"] = {{"type", "grouped-query"}, {"count", 4}, {"groups", 2}};
  CHECK(entry(json)["shape"] == Json{4, 4});
  json["mechanism"].erase("heads");
  json["mechanism"]["dimensionality"] = "multi-dim";
  json["mechanism"]["alignment"] = "softmax-one";
  CHECK(entry(json)["shape"] == Json{4, 2});  // for each feature
  json["mechanism"].erase("dimensionality");
  json["mechanism"]["score"] = "coverage-subsymbolic";  // computes one row after another
  CHECK(entry(json)["shape"] == Json{4});
}

TEST_CASE("a very high cap changes nothing, a low one levels the weights and keeps their order") {
  const Array e = energy();
  for (const char* base : {"softmax", "sparsemax", "stick-breaking", "cog-signed"}) {
    CAPTURE(base);
    CHECK(distance(weights(e, with("soft-cap", {{"cap", 1e7}, {"base", base}})), weights(e, base)) <
          1e-5);
  }
  const Array flat = weights(e, with("soft-cap", {{"cap", .5}})), plain = weights(e, "softmax");
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 6; ++j) {
      for (std::size_t k = 0; k < 6; ++k) {
        CHECK(flat(i, j) / flat(i, k) < std::exp(1.) + near);
        CHECK((plain(i, j) < plain(i, k)) == (flat(i, j) < flat(i, k)));
      }
    }
  }
}

TEST_CASE("a stick breaks at the last key first") {
  Array halves({1, 3});
  halves.data = {.125, .25, .5};
  CHECK(distance(weights(Array({1, 3}), "stick-breaking"), halves) < near);
  Array e = energy();
  e(0, 5) = 1e4;
  CHECK(weights(e, "stick-breaking").row(0) == Row{0, 0, 0, 0, 0, 1});
  Array one({1, 1}, .75);
  CHECK(weights(one, "stick-breaking")(0, 0) == doctest::Approx(1 / (1 + std::exp(-.75))));
  // Keys that are not allowed break nothing off.
  Case gap{energy(1, 3), "stick-breaking"};
  gap.mask = Array({1, 3}, 1);
  gap.mask(0, 1) = 0;
  Array without({1, 2});
  without(0, 0) = gap.energy(0, 0);
  without(0, 1) = gap.energy(0, 2);
  const Array a = gap.weights(), b = weights(without, "stick-breaking");
  CHECK(std::abs(a(0, 0) - b(0, 0)) < near);
  CHECK(a(0, 1) == 0);
  CHECK(std::abs(a(0, 2) - b(0, 1)) < near);
}

TEST_CASE("scalable softmax counts the keys of its row") {
  const Array e = energy(6, 6);
  CHECK(distance(weights(e, "scalable-softmax", {{"s", 1 / std::log(6.)}}), weights(e, "softmax")) <
        near);
  Case masked{e, "scalable-softmax", {{"s", 1}}};
  masked.mask = lower(6, 6);
  const Array a = masked.weights();
  CHECK(a(0, 0) == 1);
  for (std::size_t i = 1; i < 6; ++i)
    CHECK(std::log(a(i, 0) / a(i, 1)) ==
          doctest::Approx((e(i, 0) - e(i, 1)) * std::log(static_cast<double>(i + 1))));
  // The best of many keys does not fade: its lead stays the same, and its weight does.
  for (const std::size_t n : {10, 100, 1000}) {
    Array lead({1, n});
    lead(0, 0) = 3;
    CHECK(weights(lead, "scalable-softmax", {{"s", 1}})(0, 0) > .98);
  }
}

TEST_CASE("a bias of 0 is the sigmoid, and the bias at the start makes rows of zeros uniform") {
  const Array e = energy();
  CHECK(distance(weights(e, "sigmoid-biased", {{"b", 0}}), weights(e, "sigmoid")) == 0);
  for (const auto map = weights(Array({2, 7}), "sigmoid-biased"); const double a : map.data)
    CHECK(a == doctest::Approx(1. / 8));
}

TEST_CASE("ReLU attention is linear where no score is negative, and grows with its power") {
  Array e = energy();
  for (double& x : e.data) x = std::abs(x);
  CHECK(distance(weights(e, with("relu-attention", {{"alpha", 0}})), e) < near);
  for (const int power : {1, 2}) {
    const Json alignment = with("relu-attention", {{"power", power}});
    CHECK(distance(weights(scaled(energy(), 3), alignment),
                   scaled(weights(energy(), alignment), std::pow(3., power))) < near);
  }
  Case masked{energy(), "relu-attention"};
  masked.mask = lower(4, 6);
  const Array a = masked.weights();
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j <= i; ++j)
      CHECK(a(i, j) ==
            doctest::Approx(std::max(0., masked.energy(i, j)) / static_cast<double>(i + 1)));
}

TEST_CASE("signed weights are softmax where scores are positive, odd, and their sizes sum to 1") {
  Array e = energy();
  for (double& x : e.data) x = x == 0 ? .125 : x;  // a score of 0 has no sign and gets no weight
  Array positive = e;
  for (double& x : positive.data) x = std::abs(x) + .25;
  CHECK(distance(weights(positive, "cog-signed"), weights(positive, "softmax")) == 0);
  const Array a = weights(e, "cog-signed"), mirrored = weights(scaled(e, -1), "cog-signed");
  for (std::size_t i = 0; i < 4; ++i) {
    double sizes = 0;
    for (std::size_t j = 0; j < 6; ++j) {
      sizes += std::abs(a(i, j));
      CHECK(a(i, j) == -mirrored(i, j));
    }
    CHECK(std::abs(sizes - 1) < near);
  }
  const Json directory = Json::parse(run_packed(Case{e, "cog-signed"}.document().dump()).directory);
  for (const Json& one : directory["tensors"])
    if (one["name"] == "weights") CHECK(one["kind"] == "signed");
}

}  // namespace attend::testing::alignments_today_test
