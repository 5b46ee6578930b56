// SPDX-License-Identifier: Apache-2.0
// What delta rules, slots, normalised memories and features promise beyond their formulas.
#include <algorithm>
#include <cmath>

#include "experiment/service.h"
#include "tests/rows/recurrent.h"

namespace attend::testing::delta_cores_test {

using namespace recurrent;

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

TEST_CASE("the formula of a delta rule has keys of length 1 and the strength of a write") {
  const std::map<std::string, const char*> all{{"deltanet", "\\beta_t"},
                                               {"gated-deltanet", "\\beta_t"},
                                               {"kda", "\\beta_t"},
                                               {"gdn-2", "b_t"}};
  for (const auto& [id, strength] : all) {
    CAPTURE(id);
    const Json ran = parse_json(run_document(core(id.c_str()).dump()));
    std::map<std::string, std::string> formulas;
    for (const Json& step : ran["steps"]) formulas[step["name"]] = step["formula"];
    const std::string &memory = formulas.at("S_t"), &read = formulas.at("C");
    CHECK(memory.find("{\\hat{k}_t}^{\\top}\\, (") != std::string::npos);
    CHECK(memory.find(strength + std::string(" \\hat{k}_t\\, ")) != std::string::npos);
    CHECK(memory.find("_t v_t - ") != std::string::npos);
    CHECK(memory.find("S_{t-1}") != std::string::npos);
    CHECK(read == "s\\,\\hat{q}_t\\, S_t");
  }
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
  Json document = core("mlstm", {{"ig", ig}, {"fg", one_each}});
  document["outputs"] = {"context"};  // the memory itself holds exp(1200)
  const Ran ran = run_json(document);
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

TEST_CASE("the memory after the last row is the last of all states") {
  for (const char* id : {"retention", "lightning", "gla", "simple-gla", "deltanet",
                         "gated-deltanet", "kda", "mamba-2", "rwkv-7", "hgrn2", "gdn-2", "mamba",
                         "rwkv-6", "log-linear", "gated-slot", "mesa", "mlstm"}) {
    CAPTURE(id);
    const Ran ran = run_json(core(id));
    CHECK(distance(part(ran.outputs.at("states"), n - 1), ran.outputs.at("state")) == 0);
  }
}

}  // namespace attend::testing::delta_cores_test
