// SPDX-License-Identifier: Apache-2.0
// What the catalogue promises of latent, differential and talking heads.
#include "catalogue/mechanism.h"
#include "tests/rows/today.h"

namespace attend::testing::today::heads_today_test {
namespace {

const Array x = random({5, 6}, "x");

const Given plain{{"heads.W_Q", random({2, 6, 3}, "W_Q")},
                  {"heads.W_K", random({2, 6, 3}, "W_K")},
                  {"heads.W_V", random({2, 6, 2}, "W_V")},
                  {"heads.W_O", random({4, 6}, "W_O")}};

Json multi_head(const Json& members = Json::object(), const Given& parameters = plain) {
  return document(in_heads({{"type", "multi-head"}, {"count", 2}}, members), x, parameters);
}

Array identity(std::size_t n) {
  Array I({n, n});
  for (std::size_t i = 0; i < n; ++i) I(i, i) = 1;
  return I;
}

// [h d p] [h d p] -> [h d 2p], or the same table on both sides.
Array beside(const Array& a, const Array& b) {
  Array both({a.shape[0], a.rows(), a.cols() + b.cols()});
  for (std::size_t t = 0; t < a.shape[0]; ++t)
    for (std::size_t r = 0; r < a.rows(); ++r)
      for (std::size_t c = 0; c < both.cols(); ++c)
        both(t, r, c) = c < a.cols() ? a(t, r, c) : b(t, r, c - a.cols());
  return both;
}

Json differential(const Given& parameters, const Json& members = Json::object(),
                  const Json& knobs = Json::object()) {
  Json heads{{"type", "differential"}, {"count", 2}};
  heads.update(knobs);
  return document(in_heads(heads, members), x, parameters);
}

const Array W_Q2 = random({2, 6, 3}, "W_Q2"), W_K2 = random({2, 6, 3}, "W_K2");
const Given two_maps{{"heads.W_Q", beside(plain.at("heads.W_Q"), W_Q2)},
                     {"heads.W_K", beside(plain.at("heads.W_K"), W_K2)},
                     {"heads.W_V", plain.at("heads.W_V")},
                     {"heads.W_O", plain.at("heads.W_O")},
                     {"heads.lambda_q1", random({3}, "q1")},
                     {"heads.lambda_k1", random({3}, "k1")},
                     {"heads.lambda_q2", random({3}, "q2")},
                     {"heads.lambda_k2", random({3}, "k2")}};

}  // namespace

TEST_CASE("latent heads of full rank without rotation are multi-head") {
  const Json heads{{"type", "mla"}, {"count", 2}, {"rope_width", 0}, {"norm", false}, {"rank", 6}};
  const Json json = document(in_heads(heads, {{"mask", "mask-causal"}}), x,
                             {{"heads.W_Q", plain.at("heads.W_Q")},
                              {"heads.W_DKV", identity(6)},
                              {"heads.W_UK", plain.at("heads.W_K")},
                              {"heads.W_UV", plain.at("heads.W_V")},
                              {"heads.W_O", plain.at("heads.W_O")}});
  for (const char* name : {"query", "key", "value", "scores", "weights", "heads", "context"})
    same(output(json, name), output(multi_head({{"mask", "mask-causal"}}), name));
  same(output(json, "latent"), x);
}

TEST_CASE("latent heads may be scored without keys, by the queries absorbed into the latent rows") {
  for (const std::size_t query_rank : {0, 3}) {
    const Json heads{
        {"type", "mla"}, {"count", 2}, {"rank", 4}, {"query_rank", query_rank}, {"rope_width", 2}};
    const Ran ran = run_json(with_parameters(document(in_heads(heads), x), 3));
    const Array &q = ran.outputs.at("query"), &c = ran.outputs.at("latent"),
                &k = ran.outputs.at("latent_key"), &W = ran.parameters.at("heads.W_UK");
    Array e({2, 5, 5});
    for (std::size_t t = 0; t < 2; ++t)
      for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j) {
          for (std::size_t p = 0; p < W.cols(); ++p)
            for (std::size_t r = 0; r < 4; ++r) e(t, i, j) += q(t, i, p) * W(t, r, p) * c(j, r);
          for (std::size_t p = 0; p < 2; ++p) e(t, i, j) += q(t, i, W.cols() + p) * k(j, p);
          e(t, i, j) /= std::sqrt(static_cast<double>(W.cols() + 2));
        }
    same(ran.outputs.at("scores"), e);
  }
}

TEST_CASE("the rotated part of latent heads sees distances alone") {
  // Equal rows everywhere: scores differ by i - j only.
  Array equal({5, 6});
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t c = 0; c < 6; ++c) equal(i, c) = x(0, c);
  for (const char* pairs : {"neighbour", "half"}) {
    const Json heads{{"type", "mla"}, {"count", 2}, {"rope_width", 4}, {"pairs", pairs}};
    const Array e = output(document(in_heads(heads), equal), "scores");
    for (std::size_t t = 0; t < 2; ++t)
      for (std::size_t i = 1; i < 5; ++i)
        for (std::size_t j = 1; j < 5; ++j)
          CHECK(e(t, i, j) == doctest::Approx(e(t, i - 1, j - 1)).epsilon(1e-4));
    CHECK(std::abs(e(0, 0, 1) - e(0, 1, 0)) > 1e-5);
  }
}

TEST_CASE("latent heads name the field that cannot be, and take ranks above the width") {
  const auto with = [&](const Json& knobs) {
    Json heads{{"type", "mla"}, {"count", 2}};
    heads.update(knobs);
    return document(in_heads(heads), x);
  };
  CHECK_THROWS_WITH_AS(run_json(with({{"rank", 0}})), doctest::Contains("rank must be"), Error);
  CHECK_THROWS_WITH_AS(run_json(with({{"rope_width", -1}})),
                       doctest::Contains("rope_width must be"), Error);
  CHECK(output(with({{"rank", 9}, {"query_rank", 8}}), "latent").cols() == 9);
  CHECK(output(with({{"rope_width", 3}}), "latent_key").cols() == 3);
  CHECK(output(document(in_heads("mla"), random({1, 6}, "one")), "context").rows() == 1);
}

TEST_CASE(
    "rows of a differential map sum to 1 - lambda, and the same map twice leaves that much of it") {
  for (const std::size_t layer : {0, 3}) {
    const Ran ran = run_json(differential(two_maps, {{"mask", "mask-causal"}}, {{"layer", layer}}));
    const Array& a = ran.outputs.at("weights");
    const double lambda = ran.outputs.at("lambda")();
    for (std::size_t t = 0; t < 2; ++t)
      for (std::size_t i = 0; i < 5; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 5; ++j) sum += a(t, i, j);
        CHECK(sum == doctest::Approx(1 - lambda).epsilon(1e-4));
        for (std::size_t j = i + 1; j < 5; ++j) CHECK(a(t, i, j) == 0);
      }
  }
  Given equal = two_maps;
  equal["heads.W_Q"] = beside(plain.at("heads.W_Q"), plain.at("heads.W_Q"));
  equal["heads.W_K"] = beside(plain.at("heads.W_K"), plain.at("heads.W_K"));
  const Ran ran = run_json(differential(equal));
  same(ran.outputs.at("weights"),
       scaled(output(multi_head(), "weights"), 1 - ran.outputs.at("lambda")()));
}

TEST_CASE("both maps of a differential head are those of heads by themselves, rotated and masked") {
  const Json members{{"mask", "mask-causal"}, {"position", "pos-rope"}};
  const Ran ran = run_json(differential(two_maps, members));
  Given second = plain;
  second["heads.W_Q"] = W_Q2;
  second["heads.W_K"] = W_K2;
  same(ran.outputs.at("weights1"), output(multi_head(members), "weights"));
  same(ran.outputs.at("weights2"), output(multi_head(members, second), "weights"));
  // Without its norm a head is its signed map times the values, and 1 - lambda_0.
  const Ran no_norm = run_json(differential(two_maps, members, {{"norm", false}}));
  const Array &a = no_norm.outputs.at("weights"), &v = no_norm.outputs.at("value");
  Array heads({2, 5, 2});
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t i = 0; i < 5; ++i)
      for (std::size_t j = 0; j < 5; ++j)
        for (std::size_t c = 0; c < 2; ++c) heads(t, i, c) += .8 * a(t, i, j) * v(t, j, c);
  same(no_norm.outputs.at("heads"), heads);
}

TEST_CASE("differential heads refuse what carries a map on, and cores") {
  for (const char* part : {"score", "alignment"}) {
    const char* id = std::string(part) == "score" ? "coverage" : "adaptive-temperature";
    if (find_mechanism(std::string(part) == "score" ? Kind::score : Kind::alignment, id) == nullptr)
      continue;
    CHECK_THROWS_WITH_AS(run_json(differential({}, {{part, id}})),
                         doctest::Contains("combine two maps into one"), Error);
  }
  CHECK_THROWS_AS(run_json(differential({}, {{"core", "linear"}})), Error);
}

TEST_CASE("a gate and a penalty beside differential heads see one query for each head") {
  // The gate needs values as wide as that query: twice 3.
  Given wide = two_maps;
  wide["heads.W_V"] = random({2, 6, 6}, "V");
  wide["heads.W_O"] = random({12, 6}, "O");
  const Json members{{"aggregate", "aggregate-gate"},
                     {"penalties", Json::array({"frobenius-penalty"})}};
  CHECK(output(differential(wide, members), "context").shape == Shape{5, 6});
}

TEST_CASE("the second version with a share of 0 is grouped-query on the even heads") {
  Array fixed = x;
  for (std::size_t i = 0; i < 5; ++i) fixed(i, 5) = 1;
  Array silent({6, 2});
  for (std::size_t t = 0; t < 2; ++t) silent(5, t) = -400;
  const Array W_Q = random({4, 6, 3}, "W_Q4"), W_K = random({2, 6, 3}, "W_K2"),
              W_V = random({2, 6, 2}, "W_V2"), &W_O = plain.at("heads.W_O");
  const Json version2 =
      document(in_heads({{"type", "differential-v2"}, {"count", 2}, {"groups", 2}}), fixed,
               {{"heads.W_Q", W_Q},
                {"heads.W_K", W_K},
                {"heads.W_V", W_V},
                {"heads.W_lambda", silent},
                {"heads.W_O", W_O}});
  Array even({2, 6, 3});
  for (std::size_t t = 0; t < 2; ++t)
    for (std::size_t r = 0; r < 6; ++r)
      for (std::size_t c = 0; c < 3; ++c) even(t, r, c) = W_Q(2 * t, r, c);
  const Json grouped =
      document(in_heads({{"type", "grouped-query"}, {"count", 2}, {"groups", 2}}), fixed,
               {{"heads.W_Q", even}, {"heads.W_K", W_K}, {"heads.W_V", W_V}, {"heads.W_O", W_O}});
  same(output(version2, "context"), output(grouped, "context"));
  same(output(version2, "heads"), output(grouped, "heads"));
}

TEST_CASE("key heads of the second version divide twice the count, or are refused") {
  const auto with = [&](std::size_t groups) {
    return document(in_heads({{"type", "differential-v2"}, {"count", 3}, {"groups", groups}}), x);
  };
  for (const std::size_t groups : {1, 2, 3, 6})
    CHECK(output(with(groups), "key").shape.front() == groups);
  CHECK_THROWS_WITH_AS(run_json(with(4)), doctest::Contains("groups must divide"), Error);
}

TEST_CASE("talking heads that say nothing are multi-head") {
  Given own = plain;
  own["heads.W_pre"] = own["heads.W_post"] = identity(2);
  const Json json = document(
      in_heads({{"type", "talking-heads"}, {"count", 2}}, {{"mask", "mask-causal"}}), x, own);
  for (const char* name : {"scores", "weights", "heads", "context"})
    same(output(json, name), output(multi_head({{"mask", "mask-causal"}}), name));
}

TEST_CASE("rows of talking heads sum to the columns of what mixes them") {
  Given own = plain;
  own["heads.W_pre"] = random({2, 2}, "pre");
  const Array W = own["heads.W_post"] = random({2, 2}, "post");
  const Array a =
      output(document(in_heads({{"type", "talking-heads"}, {"count", 2}}), x, own), "weights");
  for (std::size_t s = 0; s < 2; ++s)
    for (std::size_t i = 0; i < 5; ++i) {
      double sum = 0;
      for (std::size_t j = 0; j < 5; ++j) sum += a(s, i, j);
      CHECK(sum == doctest::Approx(W(0, s) + W(1, s)).epsilon(1e-4));
    }
}

TEST_CASE("talking heads mix what one score gives to all of them, and rows that come one by one") {
  Given own = plain;
  own["heads.W_pre"] = random({2, 2}, "pre");
  Json json = document(
      in_heads({{"type", "talking-heads"}, {"count", 2}}, {{"alignment", "adaptive-temperature"}}),
      x, own);
  CHECK(output(json, "scores").shape == Shape{2, 5, 5});
}

// A table of positions has the width of one stream, before and after the streams of a head are joined.
TEST_CASE("parameters that a document draws for heads and positions can be given to it") {
  int known = 0;
  for (const Mechanism* heads : all_mechanisms()) {
    for (const Mechanism* position : all_mechanisms()) {
      if (heads->kind() != Kind::heads || position->kind() != Kind::position) continue;
      CAPTURE(heads->id);
      CAPTURE(position->id);
      Json json = document(in_heads({{"type", heads->id}}, {{"position", {position->id}}}), x);
      Ran drawn;
      try {
        drawn = run_json(json);
      } catch (const Error&) {
        continue;  // they cannot be combined
      }
      for (const auto& [name, array] : drawn.parameters) json["parameters"][name] = to_json(array);
      CHECK(distance(run_json(json).outputs.at("context"), drawn.outputs.at("context")) <
            tolerance);
      ++known;
    }
  }
  CHECK(known > 100);
}

}  // namespace attend::testing::today::heads_today_test
