// SPDX-License-Identifier: Apache-2.0
// What the recurrent cores promise beyond their formulas: each is a limit of another one, remembers what it should, and
// keeps the same memory however many rows there are.
#include <algorithm>
#include <cmath>
#include <map>

#include "tests/rows/cores.h"

namespace attend::testing::recurrent_cores_test {
namespace {

constexpr std::size_t n = 6, p = 4;

using Given = std::map<std::string, Array>;

Json core(const char* id, const Given& parameters = {}, Json knobs = Json::object(),
          std::size_t rows = n) {
  knobs["type"] = id;
  Json document = tokens(std::move(knobs), rows, p);
  for (const auto& [name, array] : parameters)
    document["parameters"]["structure." + name] = to_json(array);
  return document;
}

// Numbers between 0 and 1 that are the same for the same name.
Array gates(const char* name, const Shape& shape) {
  Array gate(shape);
  const Array x = random(name, 1, gate.data.size(), 3);
  for (std::size_t i = 0; i < gate.data.size(); ++i) gate.data[i] = 1 / (1 + std::exp(-x.data[i]));
  return gate;
}

// A gate of each row, for every feature.
Array for_all_features(const Array& gate) {
  Array wide({gate.data.size(), p});
  for (std::size_t i = 0; i < wide.data.size(); ++i) wide.data[i] = gate.data[i / p];
  return wide;
}

void equal_results(const Json& one, const Json& other,
                   std::initializer_list<const char*> names = {"context", "implied", "state",
                                                               "states"}) {
  const Ran a = run_json(one), b = run_json(other);
  for (const char* name : names)
    CHECK_MESSAGE(distance(a.outputs.at(name), b.outputs.at(name)) < close, name);
}

Array causal_products(const Ran& ran, double scale) {
  const Array &q = ran.outputs.at("query"), &k = ran.outputs.at("key");
  Array map({n, n});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) map(i, j) = scale * inner(q.row(i), k.row(j));
  }
  return map;
}

const Array one_each({n}, 1), half_each({n}, .5), zero_each({n}, 0);

}  // namespace

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

TEST_CASE("a delta rule without length 1 is fast weights with the delta rule, scaled") {
  const Array beta = gates("beta", {n});
  const Ran delta = run_json(core("deltanet", {{"beta", beta}}, {{"normalise", "none"}})),
            fast =
                run_json(core("fast-weight", {{"beta", beta}}, {{"delta", true}, {"phi", "1+x"}}));
  // fast-weight reads 1 + x, so that its keys less one are keys of the delta rule.
  Json shifted = core("fast-weight", {{"beta", beta}}, {{"delta", true}, {"phi", "1+x"}});
  for (const char* role : {"query", "key"}) {
    for (Json& x : shifted["inputs"][role]["data"]) x = x.get<double>() - 1;
  }
  const Ran same = run_json(shifted);
  Array scaled = same.outputs.at("implied");
  for (double& x : scaled.data) x *= .5;  // 1/sqrt(p)
  CHECK(distance(delta.outputs.at("implied"), scaled) < close);
  CHECK(distance(fast.outputs.at("implied"), scaled) > .01);
}

TEST_CASE("a delta rule of strength 0 writes nothing") {
  const Ran ran = run_json(core("deltanet", {{"beta", zero_each}}));
  for (const char* name : {"context", "implied", "state"}) {
    for (const double x : ran.outputs.at(name).data) CHECK(x == 0);
  }
}

TEST_CASE("a delta rule recalls what stands under orthonormal keys, and replaces it") {
  Json document =
      core("deltanet", {{"beta", Array({8}, 1)}}, {{"normalise", "none"}, {"scale", 1}}, 8);
  Array keys({8, p}), queries({8, p});
  for (std::size_t t = 0; t < 8; ++t) {
    keys(t, t % p) = 1;
    queries(t, (t + 1) % p) = 1;
  }
  document["inputs"]["key"] = to_json(keys);
  document["inputs"]["query"] = to_json(queries);
  const Ran ran = run_json(document);
  const Array &v = ran.outputs.at("value"), &context = ran.outputs.at("context");
  // Row t asks for key t + 1: the last value that was written there, three rows ago; the older one is gone.
  for (std::size_t t = 3; t < 8; ++t) {
    for (std::size_t c = 0; c < v.cols(); ++c)
      CHECK(context(t, c) == doctest::Approx(v(t - 3, c)).epsilon(1e-4));
  }
}

TEST_CASE("gates of 1 and equal gates lead from one delta rule to the next") {
  const Array alpha = gates("alpha", {n}), beta = gates("beta", {n});
  equal_results(core("gated-deltanet", {{"alpha", one_each}, {"beta", beta}}),
                core("deltanet", {{"beta", beta}}));
  equal_results(core("kda", {{"alpha", for_all_features(alpha)}, {"beta", beta}}),
                core("gated-deltanet", {{"alpha", alpha}, {"beta", beta}}));
  Array wide({n, 3});
  for (std::size_t i = 0; i < wide.data.size(); ++i) wide.data[i] = beta.data[i / 3];
  equal_results(
      core("gdn-2",
           {{"alpha", for_all_features(alpha)}, {"b", for_all_features(beta)}, {"w", wide}}),
      core("kda", {{"alpha", for_all_features(alpha)}, {"beta", beta}}),
      {"context", "state", "states"});
}

TEST_CASE("the map of a feature in gated DeltaNet-2 is that of kda where its write gate is") {
  const Array alpha = gates("alpha", {n, p}), beta = gates("beta", {n});
  Array w = gates("w", {n, 3});
  for (std::size_t i = 0; i < n; ++i) w(i, 1) = beta.data[i];
  const Ran gated = run_json(
                core("gdn-2", {{"alpha", alpha}, {"b", for_all_features(beta)}, {"w", w}})),
            kda = run_json(core("kda", {{"alpha", alpha}, {"beta", beta}}));
  CHECK(gated.outputs.at("weights").shape == Shape{3, n, n});
  CHECK(distance(part(gated.outputs.at("weights"), 1), kda.outputs.at("weights")) < close);
  CHECK(distance(part(gated.outputs.at("weights"), 0), kda.outputs.at("weights")) > .01);
}

TEST_CASE(
    "Gated DeltaProduct with one step is Gated DeltaNet, and two steps of a token are two tokens") {
  const Array alpha = gates("alpha", {n}), beta = gates("beta", {n});
  equal_results(core("gated-deltaproduct", {{"alpha", alpha}, {"beta", beta}}, {{"steps", 1}}),
                core("gated-deltanet", {{"alpha", alpha}, {"beta", beta}}));
  Json two = core("gated-deltaproduct", {{"alpha", Array({n / 2}, 1)}, {"beta", beta}});
  const Json one = core("deltanet", {{"beta", beta}});
  const Ran each = run_json(one);
  Array queries({n / 2, p});
  for (std::size_t t = 0; t < n / 2; ++t) {
    for (std::size_t c = 0; c < p; ++c) queries(t, c) = each.outputs.at("query")(2 * t + 1, c);
  }
  two["inputs"]["query"] = to_json(queries);
  const Ran pairs = run_json(two);
  CHECK(distance(pairs.outputs.at("state"), each.outputs.at("state")) < close);
  for (std::size_t t = 0; t < n / 2; ++t) {
    for (std::size_t c = 0; c < 3; ++c)
      CHECK(pairs.outputs.at("context")(t, c) ==
            doctest::Approx(each.outputs.at("context")(2 * t + 1, c)).epsilon(1e-4));
  }
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

TEST_CASE("RWKV-7 that erases nothing is gated linear attention") {
  const Array w = gates("w", {n, p});
  equal_results(core("rwkv-7", {{"w", w}, {"a", Array({n, p}, 0)}, {"k_a", Array({p}, 0)}}),
                core("gla", {{"alpha", w}}, {{"scale", 1}}));
}

TEST_CASE(
    "RWKV-6 without its bonus sees only the past, one gate fewer than gated linear attention") {
  const Array w = gates("w", {n, p});
  const Ran ran = run_json(core("rwkv-6", {{"w", w}, {"u", Array({p}, 0)}})),
            gla = run_json(core("gla", {{"alpha", w}}, {{"scale", 1}}));
  for (std::size_t i = 0; i < n; ++i) CHECK(ran.outputs.at("implied")(i, i) == 0);
  CHECK(distance(ran.outputs.at("states"), gla.outputs.at("states")) < close);
  // Queries one row later read what gated linear attention holds after the row before.
  const Array &q = ran.outputs.at("query"), &states = gla.outputs.at("states"),
              &context = ran.outputs.at("context");
  for (std::size_t i = 1; i < n; ++i) {
    for (std::size_t o = 0; o < context.cols(); ++o) {
      double read = 0;
      for (std::size_t c = 0; c < p; ++c) read += q(i, c) * states(i - 1, c, o);
      CHECK(context(i, o) == doctest::Approx(read).epsilon(1e-4));
    }
  }
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

TEST_CASE("the weights of slots are positive and fill up to 1") {
  const Ran ran = run_json(core("gated-slot", {{"alpha", Array({n, 3}, .5)}}, {{"slots", 3}}));
  const Array& weights = ran.outputs.at("weights");
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (const double x : weights.row(i)) {
      CHECK(x >= 0);
      sum += x;
    }
    CHECK(sum == doctest::Approx(1 - std::pow(.5, static_cast<double>(i + 1))).epsilon(1e-4));
  }
  const Ran closed = run_json(core("gated-slot", {{"alpha", Array({n, 3}, 1)}}, {{"slots", 3}}));
  for (const double x : closed.outputs.at("context").data) CHECK(x == 0);
}

TEST_CASE("the mesa layer fits independent keys exactly, and with a large ridge it is linear") {
  const Given none{{"alpha", one_each}, {"beta", one_each}};
  Given fit = none, wide = none;
  fit["lambda"] = Array({p}, 1e-4);
  wide["lambda"] = Array({p}, 1e5);
  Json document = core("mesa", fit);
  document["inputs"]["query"] = document["inputs"]["key"];
  const Ran exact = run_json(document), linear = run_json(core("mesa", wide));
  const Array &v = exact.outputs.at("value"), &context = exact.outputs.at("context");
  for (std::size_t i = 0; i < 3;
       ++i) {  // fewer rows than features: no two keys depend on each other
    for (std::size_t c = 0; c < v.cols(); ++c)
      CHECK(context(i, c) == doctest::Approx(v(i, c)).epsilon(.02));
  }
  Array scaled = linear.outputs.at("implied");
  for (double& x : scaled.data) x *= 1e5;
  CHECK(distance(scaled, causal_products(linear, 1)) < 1e-3);
}

TEST_CASE("the matrix LSTM with open gates is linear attention with a floor below its sum") {
  const Ran ran = run_json(core("mlstm", {{"ig", zero_each}, {"fg", Array({n}, 60)}}));
  Array expected = causal_products(ran, .5);
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (const double x : expected.row(i)) sum += x;
    for (std::size_t j = 0; j < n; ++j) expected(i, j) /= std::max(std::abs(sum), 1.);
  }
  CHECK(distance(ran.outputs.at("implied"), expected) < close);
}

TEST_CASE("the matrix LSTM computes with input gates that no exponential holds") {
  Array ig({n}, 400);
  ig.data[2] = 1200;
  const Ran ran = run_json(core("mlstm", {{"ig", ig}, {"fg", one_each}}));
  for (const double x : ran.outputs.at("context").data) CHECK(std::isfinite(x));
}

TEST_CASE("Based is linear attention with the first terms of the exponential") {
  const Ran small = run_json(core("based", {}, {{"scale", .05}}));
  Json soft = core("based");
  soft["mechanism"] = {
      {"type", "attention"}, {"score", {{"type", "scaled-dot"}}}, {"mask", "mask-causal"}};
  for (Json& x : soft["inputs"]["query"]["data"]) x = x.get<double>() * .1;  // .05 sqrt(p)
  CHECK(distance(small.outputs.at("weights"), run_json(soft).outputs.at("weights")) < .01);
}

TEST_CASE("cosFormer without a horizon is linear attention with relu") {
  for (const bool causal : {false, true}) {
    const Ran far = run_json(core("cosformer", {}, {{"M", 1e7}, {"causal", causal}})),
              flat = run_json(core("linear", {}, {{"phi", "relu"}, {"causal", causal}}));
    CHECK(distance(far.outputs.at("weights"), flat.outputs.at("weights")) < close);
  }
}

TEST_CASE("Hedgehog without features gives every past key the same weight") {
  const Ran ran = run_json(core("hedgehog", {{"W", Array({p, 2}, 0)}}));
  const Array& weights = ran.outputs.at("weights");
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      CHECK(weights(i, j) == doctest::Approx(1. / static_cast<double>(i + 1)));
  }
  const Array W = run_json(core("hedgehog")).parameters.at("structure.W");
  CHECK(distance(W, unit(p)) == 0);
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

TEST_CASE("the memory after the last row is the last of all states") {
  for (const char* id : {"retention", "lightning", "gla", "simple-gla", "deltanet",
                         "gated-deltanet", "kda", "mamba-2", "rwkv-7", "hgrn2", "gdn-2", "mamba",
                         "rwkv-6", "log-linear", "gated-slot", "mesa", "mlstm"}) {
    CAPTURE(id);
    const Ran ran = run_json(core(id));
    CHECK(distance(part(ran.outputs.at("states"), n - 1), ran.outputs.at("state")) == 0);
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
  const Array& v = run_json(core("retention", {}, {}, many)).outputs.at("value");
  for (std::size_t c = 0; c < v.cols(); ++c) {
    double state = 0;
    for (std::size_t t = many - 60; t < many; ++t) state = .5 * state + .5 * v(t, c);
    CHECK(ran.outputs.at("state")(0, c) == doctest::Approx(state).epsilon(1e-4));
    CHECK(ran.outputs.at("context")(many - 1, c) == doctest::Approx(2 * state).epsilon(1e-4));
  }
}

}  // namespace attend::testing::recurrent_cores_test
