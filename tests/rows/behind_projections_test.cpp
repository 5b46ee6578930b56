// SPDX-License-Identifier: Apache-2.0
// What the catalogue promises of the slots behind the heads' projections, and of what reads the rows before them.
#include <cmath>
#include <doctest/doctest.h>

#include "tests/rows/position_documents.h"

namespace attend::testing::positions::behind_projections_test {
namespace {

Json with_slot(const char* slot, const Json& part, std::size_t n = 6, std::size_t d = 4) {
  Json json = document(Json::array(), n, d);
  json["mechanism"][slot] = part;
  return json;
}

Json in_heads(Json json) {
  json["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
  return json;
}

const Array& output(const Ran& ran, const char* name) { return ran.outputs.at(name); }

double root_mean_square(const Row& x) {
  return std::sqrt(inner(x, x) / static_cast<double>(x.size()));
}

}  // namespace

TEST_CASE("QK norm: the length of a row is inert, and only the product of both gammas counts") {
  for (const char* kind : {"rms", "layer", "l2"}) {
    CAPTURE(kind);
    Json json = with_slot("qk", {{"type", "qk-norm"}, {"kind", kind}, {"eps", 1e-12}});
    const Array e = output(run_json(json), "scores");
    Json longer = json;
    longer["inputs"]["query"] = to_json(scaled(random_array({6, 4}, "x"), 7));
    longer["inputs"]["key"] = to_json(scaled(random_array({6, 4}, "x"), .3));
    CHECK(distance(output(run_json(longer), "scores"), e) < 10 * tolerance);
    const Array a = random_array({4}, "a"), b = random_array({4}, "b");
    Array both({4});
    for (std::size_t c = 0; c < 4; ++c) both(c) = a(c) * b(c);
    const Json apart = with(with(json, "qk.gamma_Q", a), "qk.gamma_K", b);
    CHECK(distance(output(run_json(apart), "scores"),
                   output(run_json(with(json, "qk.gamma_K", both)), "scores")) < 10 * tolerance);
    CHECK(distance(output(run_json(apart), "scores"), e) > .01);
  }
}

TEST_CASE("QK norm: l2 bounds the scores by their scale, rms gives the cosine times sqrt(p)") {
  const auto scores = [](const char* kind) {
    return output(run_json(with_slot("qk", {{"type", "qk-norm"}, {"kind", kind}, {"eps", 1e-12}})),
                  "scores");
  };
  Json cosine = document(Json::array());
  cosine["mechanism"]["score"] = "similarity-cosine";
  const Array angles = output(run_json(cosine), "scores");
  for (const auto energies = scores("l2"); const double e : energies.data)
    CHECK(std::abs(e) <= .5 + tolerance);  // 1 / sqrt(4)
  CHECK(distance(scores("rms"), scaled(angles, 2)) < 10 * tolerance);
  CHECK(distance(scores("l2"), scaled(angles, .5)) < 10 * tolerance);
}

TEST_CASE("QK norm serves all heads with one gamma, or their joined rows with one for each") {
  const Array gamma = random_array({2}, "gamma"), joined = random_array({2, 2}, "joined");
  const Ran plain = run_json(in_heads(document(Json::array())));
  Json knobs{{"type", "qk-norm"}, {"eps", 1e-12}};
  const Ran head = run_json(with(in_heads(with_slot("qk", knobs)), "qk.gamma_K", gamma));
  knobs["over"] = "heads";
  const Json over = in_heads(with_slot("qk", knobs));
  const Ran heads = run_json(with(over, "qk.gamma_K", joined));
  const Array& k = output(plain, "key");
  for (std::size_t i = 0; i < 6; ++i) {
    const Row both{k(0, i, 0), k(0, i, 1), k(1, i, 0), k(1, i, 1)};
    for (std::size_t t = 0; t < 2; ++t) {
      const Row one{k(t, i, 0), k(t, i, 1)};
      for (std::size_t c = 0; c < 2; ++c) {
        CHECK(output(head, "key")(t, i, c) ==
              doctest::Approx(one[c] / root_mean_square(one) * gamma(c)).epsilon(1e-4));
        CHECK(output(heads, "key")(t, i, c) ==
              doctest::Approx(one[c] / root_mean_square(both) * joined(t, c)).epsilon(1e-4));
      }
    }
  }
  CHECK_THROWS_WITH_AS(run_json(with(over, "qk.gamma_K", gamma)),
                       doctest::Contains("expected shape [2 2]"), Error);
}

TEST_CASE("QK norm comes before a rotation, whichever is written first") {
  Json json = document({{"type", "pos-rope"}});
  json["mechanism"]["qk"] = "qk-norm";
  json = with(json, "qk.gamma_K", random_array({4}, "gamma"));
  const Ran both = run_json(json);
  Json turned = document({{"type", "pos-rope"}});
  Json normed = json;
  normed["mechanism"].erase("position");
  const Ran before = run_json(normed);
  for (const char* role : {"query", "key"}) turned["inputs"][role] = to_json(output(before, role));
  for (const char* name : {"query", "key", "scores", "context"})
    CHECK(distance(output(run_json(turned), name), output(both, name)) < 10 * tolerance);
  CHECK(distance(output(before, "key"), output(both, "key")) > .1);
}

TEST_CASE("QK norm beside a core is the core on normed rows") {
  Json json = with_slot("qk", "qk-norm");
  json["mechanism"]["core"] = "linear";
  const Ran normed = run_json(json);
  json["mechanism"].erase("qk");
  const Ran without = run_json(json);
  for (const char* role : {"query", "key"}) json["inputs"][role] = to_json(output(normed, role));
  CHECK(distance(output(run_json(json), "context"), output(normed, "context")) < 10 * tolerance);
  CHECK(distance(output(without, "context"), output(normed, "context")) > .01);
}

TEST_CASE("a value residual takes the values of an earlier module, in heads too") {
  const Array x = random_array({5, 4}, "x");
  for (const bool heads : {false, true}) {
    Json model{{"schema", "attention-playground/1"},
               {"seed", 3},
               {"inputs", {{"x", to_json(x)}}},
               {"model",
                {{{"name", "one"}, {"type", "attention"}, {"query", "self-attention"}},
                 {{"name", "two"},
                  {"type", "attention"},
                  {"inputs", {{"x", "one"}, {"first", "one.value"}}},
                  {"query", "self-attention"},
                  {"value", "value-residual"}}}},
               {"parameters", Json::object()}};
    if (heads) {
      for (Json& module : model["model"]) module["heads"] = {{"type", "multi-head"}, {"count", 2}};
    }
    const Ran ran = run_json(model);
    Json plain = model;
    plain["model"][1].erase("value");
    plain["model"][1]["inputs"].erase("first");
    const Ran own = run_json(plain);
    const Array &mixed = output(ran, "two.value"), &first = output(ran, "one.value");
    CHECK(mixed.shape == (heads ? Shape{2, 5, 2} : Shape{5, 4}));
    for (std::size_t i = 0; i < mixed.data.size(); ++i)
      CHECK(std::abs(mixed.data[i] - (output(own, "two.value").data[i] + first.data[i]) / 2) <
            tolerance);
    const Ran alone = run_json(with(model, "two.value.lambda", Array(Tensor{{2}, {1, 0}})));
    CHECK(distance(output(alone, "two.context"), output(own, "two.context")) < tolerance);
    CHECK(distance(output(ran, "two.context"), output(own, "two.context")) > .01);
    Json other = model;
    other["model"][1]["inputs"]["first"] = "one.scores";
    CHECK_THROWS_WITH_AS(run_json(other), doctest::Contains("expected shape"), Error);
    if (!heads) continue;
    model["model"][0].erase("heads");  // as wide as one head, and not as many
    model = with(model, "one.value.W_V", zeros_of({4, 1}));
    CHECK_THROWS_WITH_AS(run_json(model), doctest::Contains("the output \"value\" of a module"),
                         Error);
  }
}

TEST_CASE("an open gate changes nothing, and a closed one lets nothing through") {
  for (const char* per : {"element", "head"}) {
    CAPTURE(per);
    for (const bool heads : {false, true}) {
      const Json plain =
          heads ? in_heads(document(Json::array(), 6, 6)) : document(Json::array(), 6, 6);
      Json json = plain;
      json["mechanism"]["aggregate"] = {{"type", "gated-output"}, {"per", per}};
      const std::size_t width = std::string_view(per) == "head" ? 1 : 3;
      const Shape W = heads ? Shape{2, 6, width} : Shape{6, width};
      const Shape b = heads ? Shape{2, width} : Shape{width};
      json = with(json, "aggregate.W_g", zeros_of(W));
      const Array open = output(run_json(with(json, "aggregate.b_g", Array(b, 40))), "output");
      const Array shut = output(run_json(with(json, "aggregate.b_g", Array(b, -40))), "output");
      CHECK(distance(open, output(run_json(plain), "context")) < tolerance);
      CHECK(distance(shut, Array(shut.shape)) < tolerance);
      CHECK(output(run_json(json), "gate").shape == (heads ? Shape{2, 6, width} : Shape{6, width}));
    }
  }
}

TEST_CASE("an aggregate reads the queries as they were before they were turned") {
  Json json = document({{"type", "pos-rope"}}, 6, 3);
  json["mechanism"]["aggregate"] = "aggregate-gate";
  for (const char* name : {"aggregate.W1", "aggregate.W2"})
    json = with(json, name, zeros_of({3, 3}));
  const Ran ran = run_json(with(json, "aggregate.b", Array({3}, 40)));  // the token itself
  CHECK(distance(output(ran, "output"), random_array({6, 3}, "x")) < tolerance);
  CHECK(distance(output(ran, "query"), output(ran, "output")) > .1);
}

TEST_CASE("a gate reads the rows before any projection, those of self-attention and of heads") {
  const Array x = random_array({6, 5}, "x");
  for (const bool heads : {false, true}) {
    Json json = document(Json::array());
    json["inputs"] = {{"x", to_json(x)}};
    json["mechanism"]["query"] = "self-attention";
    json["mechanism"]["position"] = Json::array({"pos-sinusoidal", "pos-rope"});
    if (heads) json["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
    Json gated = json;
    gated["mechanism"]["aggregate"] = "gated-output";
    const Ran ran = run_json(gated), plain = run_json(json);
    const Array places = output(ran, "position"), &W = ran.parameters.at("aggregate.W_g");
    const Array &c = heads ? output(plain, "heads") : output(plain, "context"),
                &u = heads ? output(ran, "heads") : output(ran, "output");
    const std::size_t width = c.cols();
    const auto at = [&](const Array& all, std::size_t t, std::size_t r, std::size_t f) {
      return heads ? all(t, r, f) : all(r, f);
    };
    for (std::size_t t = 0; t < (heads ? 2U : 1U); ++t) {
      for (std::size_t i = 0; i < 6; ++i) {
        for (std::size_t f = 0; f < width; ++f) {
          double open = 0;
          for (std::size_t r = 0; r < 5; ++r) open += (x(i, r) + places(i, r)) * at(W, t, r, f);
          CHECK(std::abs(at(u, t, i, f) - activate("sigmoid", open) * at(c, t, i, f)) <
                10 * tolerance);
        }
      }
    }
  }
}

}  // namespace attend::testing::positions::behind_projections_test
