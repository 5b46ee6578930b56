// SPDX-License-Identifier: Apache-2.0
// What cores promise beside their limits: draws converge at the rate of their number, states and buckets are the pairs.
#include <cmath>
#include <doctest/doctest.h>

#include "catalogue/tables.h"
#include "tests/rows/cores.h"

namespace attend::testing::cores_convergence_test {

TEST_CASE("linear attention's states in chunks are its pairs") {
  for (const std::size_t n : {300, 256}) {
    const Ran ran = run_json(tokens({{"type", "linear"}, {"causal", true}}, n, 96));
    const Array expected = product(ran.outputs.at("weights"), ran.outputs.at("value"));
    CHECK(distance(ran.outputs.at("context"), expected) < close);
    CHECK(distance(ran.outputs.at("implied"), ran.outputs.at("weights")) < close);
  }
}

TEST_CASE("every core of features gives in chunks, where it is causal, what its pairs give") {
  // So many that the states of all rows are not held at once.
  const auto long_tokens = [](const Json& core) {
    Json document = tokens(core, 150, 96);
    document["inputs"]["value"] = to_json(random("v", 150, 96));
    return document;
  };
  for (const Json& core :
       {Json{{"type", "linear"}, {"phi", "exp"}}, Json{{"type", "linear"}, {"phi", "relu"}},
        Json{{"type", "performer"}, {"features", 96}},
        Json{{"type", "performer"}, {"features", 96}, {"kernel", "relu"}},
        Json{{"type", "rfa"}, {"features", 48}}, Json{{"type", "fast-weight"}},
        Json{{"type", "fmmformer"}, {"kernels", 2}}}) {
    Json document = long_tokens(core);
    if (core["type"] != "fast-weight") document["mechanism"]["core"]["causal"] = true;
    for (const char* role : {"query", "key"}) {
      for (auto& x : document["inputs"][role]["data"]) x = 0.2 * x.get<double>();
    }
    CAPTURE(core.dump());
    const Ran whole = run_json(document);
    // The first rows alone are few enough for a state each.
    Json few = document;
    for (const char* role : {"query", "key", "value"}) {
      Array x(read_document(document).inputs.at(role).tensor);
      x.shape[0] = 40;
      x.data.resize(40 * 96);
      few["inputs"][role] = to_json(x);
    }
    const Array &all = whole.outputs.at("context"), first = run_json(few).outputs.at("context");
    for (std::size_t i = 0; i < 40; ++i) {
      for (std::size_t c = 0; c < 96; ++c)
        CHECK(std::abs(all(i, c) - first(i, c)) < 20 * close * (1 + std::abs(first(i, c))));
    }
    const Array pairs = product(whole.outputs.at("implied"), whole.outputs.at("value"));
    CHECK(distance(all, pairs) < 20 * close);
  }
}

TEST_CASE("a state over time ends as what all keys wrote") {
  for (const Json& core :
       {Json{{"type", "linear"}, {"causal", true}}, Json{{"type", "fast-weight"}},
        Json{{"type", "fast-weight"}, {"delta", true}, {"sum_norm", true}}}) {
    for (const bool heads : {false, true}) {
      Json document = tokens(core);
      if (heads) document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
      const Ran ran = run_json(document);
      const Array &states = ran.outputs.at("states"), &read = ran.outputs.at("context");
      CHECK(states.shape == (heads ? Shape{2, 6, 2, 2} : Shape{6, 4, 3}));
      if (heads || core["type"] == "linear" || core.contains("delta")) continue;
      // What the last query reads is the last state between its features and the values.
      const Array& q = ran.outputs.at("query");
      for (std::size_t c = 0; c < 3; ++c) {
        double sum = 0;
        for (std::size_t r = 0; r < 4; ++r) {
          const double x = q(5, r);
          sum += (x > 0 ? x + 1 : std::exp(x)) * states.data[(5 * 4 + r) * 3 + c];
        }
        CHECK(std::abs(sum - read(5, c)) < close * (1 + std::abs(sum)));
      }
    }
  }
}

TEST_CASE("random features converge to softmax attention at the rate of their number") {
  // The root of the mean squared gap over 32 draws.
  const auto spread = [](std::size_t features) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 32; ++seed) {
      Json document = tokens({{"type", "performer"}, {"features", features}});
      for (const char* role : {"query", "key"}) {
        for (auto& x : document["inputs"][role]["data"]) x = 0.5 * x.get<double>();
      }
      document["seed"] = seed;
      const Array found = run_json(document).outputs.at("weights");
      const Array true_weights = softmax_of(document).outputs.at("weights");
      for (std::size_t i = 0; i < found.data.size(); ++i)
        sum += std::pow(found.data[i] - true_weights.data[i], 2) / 32;
    }
    return std::sqrt(sum);
  };
  const double few = spread(32), more = spread(128), many = spread(512);
  CHECK(few / more > 1.5);
  CHECK(few / more < 2.7);
  CHECK(more / many > 1.5);
  CHECK(more / many < 2.7);
  CHECK(many < 0.1);
}

namespace {

// The root of the mean squared gap to `expected` over 32 draws.
double spread_of(Json document, const char* output, const Array& expected) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 32; ++seed) {
    document["seed"] = seed;
    const Array found = run_json(document).outputs.at(output);
    for (std::size_t i = 0; i < found.data.size(); ++i)
      sum += std::pow(found.data[i] - expected.data[i], 2) / 32;
  }
  return std::sqrt(sum);
}

}  // namespace

TEST_CASE(
    "random sines and cosines converge to the softmax of unit rows at the rate of their number") {
  Json plain = tokens("rfa");
  for (const char* role : {"query", "key"}) {
    Array x(read_document(plain).inputs.at(role).tensor);
    for (std::size_t i = 0; i < x.rows(); ++i) {
      const double length = std::sqrt(inner(x.row(i), x.row(i)));
      // Plain attention divides by the root of 4.
      for (std::size_t c = 0; c < 4; ++c) x(i, c) *= std::sqrt(2.) / length;
    }
    plain["inputs"][role] = to_json(x);
  }
  const Array expected = softmax_of(plain).outputs.at("weights");
  const auto spread = [&](std::size_t features) {
    return spread_of(tokens({{"type", "rfa"}, {"features", features}}), "weights", expected);
  };
  const double few = spread(64), more = spread(256), many = spread(1024);
  CHECK(few / more > 1.5);
  CHECK(few / more < 2.7);
  CHECK(more / many > 1.5);
  CHECK(more / many < 2.7);
  CHECK(many < 0.3);
}

TEST_CASE("rounds of random planes converge to YOSO's expectation at the rate of their number") {
  const Array expected = run_json(tokens({{"type", "yoso"}, {"tau", 2}})).outputs.at("implied");
  const auto spread = [&](std::size_t rounds) {
    return spread_of(
        tokens({{"type", "yoso"}, {"tau", 2}, {"mode", "sample"}, {"samples", rounds}}), "implied",
        expected);
  };
  const double few = spread(4), more = spread(16), many = spread(64);
  CHECK(few / more > 1.5);
  CHECK(few / more < 2.7);
  CHECK(more / many > 1.5);
  CHECK(more / many < 2.7);
}

TEST_CASE("more rounds of hashing let more tokens meet") {
  const auto met = [](std::size_t rounds) {
    Json document =
        tokens({{"type", "reformer"}, {"rounds", rounds}, {"buckets", 4}, {"chunk", 8}}, 24);
    document["inputs"].erase("key");
    std::size_t count = 0;
    const auto result = run_json(document);
    for (const double x : result.outputs.at("weights").data) count += x > 0 ? 1 : 0;
    return count;
  };
  CHECK(met(8) > 1.5 * static_cast<double>(met(1)));
}

TEST_CASE("Sinkhorn attention of one block is softmax attention") {
  CHECK(gap(tokens({{"type", "sinkhorn-sparse"}, {"blocks", 1}})) < close);
  CHECK(gap(tokens({{"type", "sinkhorn-sortcut"}, {"blocks", 1}, {"t", 1}})) < close);
  CHECK(gap(tokens({{"type", "sinkhorn-sparse"}, {"blocks", 3}})) > .01);
}

TEST_CASE("SOFT's iteration of two landmarks keeps its digits") {
  // The paper's start loses what both landmarks have in common, and nothing else: the weights are those of the exact
  // inverse without it.
  Json document = tokens({{"type", "soft"}, {"count", 2}, {"iterations", 60}}, 5);
  document["inputs"].erase("key");
  document["parameters"]["structure.landmarks"] = {1, 3};
  const Ran ran = run_json(document);
  const Array &q = ran.outputs.at("query"), &found = ran.outputs.at("implied");
  const auto kernel = [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (std::size_t c = 0; c < q.cols(); ++c) sum += std::pow(q(i, c) - q(j, c), 2);
    return std::exp(-sum / 4);
  };
  for (std::size_t i = 0; i < 5; ++i) {
    for (std::size_t j = 0; j < 5; ++j) {
      const double expected =
          (kernel(i, 1) - kernel(i, 3)) * (kernel(j, 1) - kernel(j, 3)) / 2 / (1 - kernel(1, 3));
      CHECK(std::abs(found(i, j) - expected) < close);
    }
  }
}

TEST_CASE("the agreement of random planes converges to YOSO's expectation") {
  Json document = tokens({{"type", "yoso"}, {"tau", 2}});
  const Array expected = run_json(document).outputs.at("implied");
  document["mechanism"]["core"] = {
      {"type", "yoso"}, {"tau", 2}, {"mode", "sample"}, {"samples", 128}};
  double mean = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    document["seed"] = seed;
    const Array sampled = run_json(document).outputs.at("implied");
    for (std::size_t i = 0; i < sampled.data.size(); ++i) {
      CHECK(std::abs(sampled.data[i] - expected.data[i]) < .25);
      mean += (sampled.data[i] - expected.data[i]) / 36 / 8;
    }
  }
  CHECK(std::abs(mean) < .01);
  document = tokens("yoso");
  document["inputs"].erase("key");
  const Array self = run_json(document).outputs.at("implied");
  for (std::size_t i = 0; i < 6; ++i) CHECK(self(i, i) == doctest::Approx(1).epsilon(3e-3));
}

TEST_CASE("many tokens of sampled YOSO meet in buckets, and learn as its expectation does") {
  Json document = tokens(
      {{"type", "yoso"}, {"tau", 5}, {"mode", "sample"}, {"samples", 3}, {"normalise", false}},
      520);
  document["gradient"] = {{"of", "context"}};
  for (const bool heads : {false, true}) {
    if (heads) document["mechanism"]["heads"] = {{"type", "multi-head"}, {"count", 2}};
    const Ran ran = run_json(document);
    const Array& weights = ran.outputs.at("weights");
    CHECK(weights.shape == (heads ? Shape{2, 520, 520} : Shape{520, 520}));
    for (std::size_t h = 0; h < (heads ? 2U : 1U); ++h) {
      const Array one = heads ? part(weights, h) : weights;
      const Array found = heads ? part(ran.outputs.at("heads"), h) : ran.outputs.at("context");
      const Array value = heads ? part(ran.outputs.at("value"), h) : ran.outputs.at("value");
      CHECK(distance(found, product(one, value)) < close);
    }
    if (heads) break;
    // What queries and keys learn is what they learn from the expectation; values learn from the draw.
    Json smooth = document;
    smooth["mechanism"]["core"]["mode"] = "expect";
    const Ran expected = run_json(smooth);
    for (const char* name : {"inputs.query", "inputs.key"}) {
      CHECK(distance(ran.gradients.at(name), expected.gradients.at(name)) < close);
      CHECK(distance(ran.gradients.at(name), Array({520, 4})) > 1e-3);
    }
    Array columns({520, 3});
    for (std::size_t i = 0; i < 520; ++i) {
      for (std::size_t j = 0; j < 520; ++j) {
        for (std::size_t c = 0; c < 3; ++c) columns(j, c) += weights(i, j);
      }
    }
    CHECK(distance(ran.gradients.at("inputs.value"), columns) < 10 * close);
  }
  // Nobody pays for the map of the expectation where no gradient is asked for.
  const auto cost = [](const Json& asked) {
    return prepare(compile(read_document(asked)), Detail::outputs).cost.outputs;
  };
  Json context = tokens(
      {{"type", "yoso"}, {"tau", 5}, {"mode", "sample"}, {"samples", 3}, {"normalise", false}},
      2000);
  context["outputs"] = {"context"};
  CHECK(cost(context).multiply_adds < 2000ULL * 2000);
}

}  // namespace attend::testing::cores_convergence_test
