// SPDX-License-Identifier: Apache-2.0
// What the catalogue promises of transparent-attention, truncated-history, pos-memnet-pe and
// pos-fft-kernel.
#include <cmath>
#include <doctest/doctest.h>

#include "tests/experiment/harness.h"

namespace attend::testing::position_structures_test {
namespace {

Json example(const char* id) {
  return with_parameters(example_document(*find_mechanism(Kind::structure, id), 5), 5);
}

}  // namespace

TEST_CASE("transparent attention: rows of weights sum to one, a one-hot row is the usual decoder") {
  Json json = example("transparent-attention");
  const Ran ran = run_json(json);
  const Array& weights = ran.outputs.at("weights");
  for (std::size_t t = 0; t < weights.rows(); ++t) {
    double sum = 0;
    for (const double w : weights.row(t)) sum += w;
    CHECK(sum == doctest::Approx(1));
  }
  Array logits({2, 6});
  logits(0, 5) = logits(1, 5) = 1e4;
  json["parameters"]["structure.logits"] = to_json(logits);
  const Ran last = run_json(json);
  const Array layers(read_document(json).inputs.at("layers").tensor);
  CHECK(last.outputs.at("context").shape == Shape{2, layers.shape[1], layers.shape[2]});
  CHECK(distance(part(last.outputs.at("context"), 0), part(layers, 5)) < tolerance);
}

TEST_CASE("truncated history: the first step is its input, and only the last steps count") {
  Json json = example("truncated-history");
  json["mechanism"]["N_m"] = 2;
  const Ran ran = run_json(json);
  const Array x(read_document(json).inputs.at("x").tensor), &h = ran.outputs.at("output");
  for (std::size_t c = 0; c < x.cols(); ++c) CHECK(std::abs(h(0, c) - x(0, c)) < tolerance);
  for (std::size_t t = 1; t < x.rows(); ++t) {
    double sum = 0;
    for (std::size_t i = 0; i < x.rows(); ++i) {
      const bool inside = i < t && i + 2 >= t;
      if (!inside) CHECK(ran.outputs.at("weights")(t, i) == 0);
      sum += ran.outputs.at("weights")(t, i);
    }
    CHECK(sum == doctest::Approx(1));
    for (std::size_t c = 0; c < x.cols(); ++c) CHECK(h(t, c) >= x(t, c) - tolerance);
  }
  json["mechanism"]["N_m"] = 0;
  CHECK(distance(run_json(json).outputs.at("output"), x) < tolerance);
}

TEST_CASE("memory network positions: one word has weights k/d, a table is one sentence") {
  Json json = example("pos-memnet-pe");
  const Array x(read_document(json).inputs.at("x").tensor);
  Array sentence = part(x, 1);
  json["inputs"]["x"] = to_json(sentence);
  json["parameters"] = Json::object();
  const Ran ran = run_json(json);
  CHECK(ran.outputs.at("context").shape == Shape{1, x.cols()});
  CHECK(distance(ran.outputs.at("key"), ran.outputs.at("value")) == 0);  // no temporal rows
  json["inputs"]["x"] = to_json(Array({1, x.cols()}, 2));
  const Ran one = run_json(json);
  for (std::size_t k = 0; k < x.cols(); ++k) {
    const double weight = static_cast<double>(k + 1) / static_cast<double>(x.cols());
    CHECK(one.outputs.at("weights")(k) == doctest::Approx(weight));
    CHECK(one.outputs.at("context")(k) == doctest::Approx(2 * weight));
  }
}

TEST_CASE("kernelised attention without a bias is linear attention of its features") {
  Json json = example("pos-fft-kernel");
  const Ran drawn = run_json(json);
  const std::size_t n = (drawn.parameters.at("structure.b").cols() + 1) / 2;
  json["parameters"]["structure.b"] = to_json(Array({2 * n - 1}, 3));  // a constant cancels too
  const Array omega = drawn.parameters.at("structure.omega");
  Json linear = json;
  linear["mechanism"] = {{"type", "linear"}, {"phi", "exp"}};
  linear["parameters"] = Json::object();
  for (const char* role : {"query", "key"}) {
    const Array x(read_document(json).inputs.at(role).tensor);
    Array projected({x.rows(), omega.rows()});
    for (std::size_t i = 0; i < x.rows(); ++i) {
      for (std::size_t r = 0; r < omega.rows(); ++r)
        projected(i, r) = inner(x.row(i), omega.row(r)) / std::sqrt(inner(x.row(i), x.row(i)));
    }
    linear["inputs"][role] = to_json(projected);
  }
  for (const bool causal : {false, true}) {
    json["mechanism"]["causal"] = linear["mechanism"]["causal"] = causal;
    const Ran kernel = run_json(json), plain = run_json(linear);
    for (const char* name : {"weights", "context"})
      CHECK(distance(kernel.outputs.at(name), plain.outputs.at(name)) < 10 * tolerance);
  }
}

TEST_CASE("kernelised attention stands biases and features of any size, and too many queries not") {
  Json json = example("pos-fft-kernel");
  const Ran drawn = run_json(json);
  for (const char* name : {"structure.b", "structure.omega"}) {
    Json large = json;
    Array numbers = drawn.parameters.at(name);
    for (double& number : numbers.data) number *= 1e4;
    large["parameters"][name] = to_json(numbers);
    const Array found = run_json(large).outputs.at("context");
    for (const double number : found.data) CHECK(std::isfinite(number));
  }
  json["parameters"] = Json::object();
  json["inputs"]["query"] = to_json(Array({9, 6}, 1));
  CHECK_THROWS_WITH_AS(run_json(json), doctest::Contains("found 9"), Error);
}

}  // namespace attend::testing::position_structures_test
