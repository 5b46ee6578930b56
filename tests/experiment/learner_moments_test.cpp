// SPDX-License-Identifier: Apache-2.0
// What an optimiser remembers belongs to it and to its training: nothing of it goes into another.
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

#include "experiment/learning/learner.h"

namespace attend::learner_moments_test {
namespace {

Json document(const Json& training) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
      {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 5},
      {"name": "decoder", "type": "om-decoder", "hidden": 7, "dim": 6,
       "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"},
       "attention": {"score": {"type": "additive", "hidden": 6}}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}],
    "training": {"task": {"type": "task-reverse", "shortest": 3, "longest": 5}, "batch": 8, "steps": 100}})");
  json["training"].merge_patch(training);
  return json;
}

const Json momentum = {{"optimiser", {{"type", "sgd"}, {"rate", .05}, {"momentum", .95}}}};
const Json plain = {{"optimiser", {{"type", "sgd"}, {"rate", .05}}}};
const Json adam = {{"optimiser", {{"type", "adam"}, {"rate", .01}}}};

void take_steps(Learner& learner, int count) {
  for (int i = 0; i < count; ++i) REQUIRE(learner.step().failure.empty());
}

std::string bytes_of(const Learner& learner) {
  return write_tensor_file(learner.checkpoint(), NumberCode::whole);
}

// The farthest that a weight moved between two files.
double farthest(const TensorFile& from, const TensorFile& to) {
  double most = 0;
  for (const auto& [name, tensor] : from.tensors) {
    const std::vector<double>& other = to.tensors.at(name).data;
    for (std::size_t i = 0; i < tensor.data.size(); ++i)
      most = std::max(most, std::abs(tensor.data[i] - other[i]));
  }
  return most;
}

}  // namespace

TEST_CASE("an optimiser that takes over from another begins with nothing remembered") {
  for (const Json& before : {momentum, plain}) {
    Learner first(document(before));
    take_steps(first, 40);
    Learner second(document(adam));
    second.restore(first.checkpoint());
    CHECK(second.steps_taken() == 40);
    take_steps(second, 1);
    // Adam's first step is its rate, whatever the slope.
    CHECK(farthest(first.shipped(), second.shipped()) == doctest::Approx(.01).epsilon(1e-3));
    Learner resumed(document(adam));
    resumed.restore(read_tensor_file(bytes_of(second)));
    take_steps(second, 8);
    take_steps(resumed, 8);
    CHECK(bytes_of(resumed) == bytes_of(second));
  }
  Learner first(document(adam)), second(document(momentum));
  take_steps(first, 20);
  second.restore(first.checkpoint());
  Learner third(document(plain));
  third.restore(first.checkpoint());
  take_steps(second, 1);
  take_steps(third, 1);
  // The first step along a momentum that is still empty is that without one.
  CHECK(farthest(second.shipped(), third.shipped()) < 1e-6);
}

TEST_CASE("weights from a file begin a training anew") {
  for (const Json& training : {adam, momentum}) {
    Learner fresh(document(training)), used(document(training));
    const TensorFile start = fresh.shipped();
    take_steps(used, 30);
    used.restore(start);
    take_steps(fresh, 10);
    take_steps(used, 10);
    CHECK(bytes_of(used) == bytes_of(fresh));
  }
}

TEST_CASE("weights taken over begin with no baseline") {
  Json json = document({{"estimator", "moving-baseline"}});
  json["model"][2]["attention"] = {{"score", "dot"}, {"alignment", "hard-sample"}};
  json["model"][2]["hidden"] = 10;
  Learner fresh(json), used(json);
  const TensorFile start = fresh.shipped();
  take_steps(used, 10);
  (void)used.take(start);
  take_steps(fresh, 3);
  take_steps(used, 3);
  CHECK(bytes_of(used) == bytes_of(fresh));
}

TEST_CASE("a checkpoint whose optimiser began behind its last step is none") {
  Learner learner(document(adam));
  take_steps(learner, 2);
  TensorFile file = learner.checkpoint();
  file.metadata["optimiser"] = "3";
  CHECK_THROWS_WITH(learner.restore(file), doctest::Contains("after its last step"));
  file.metadata["optimiser"] = "-1";
  CHECK_THROWS_WITH(learner.restore(file), doctest::Contains("no number \"optimiser\""));
  CHECK(learner.steps_taken() == 2);
}

#ifndef ATTEND_DOUBLE
TEST_CASE("a number too large to count with is refused, whatever it is written as") {
  Learner learner(document(adam));
  const std::string good = bytes_of(learner);
  // The two halves of a file in bytes: 127 times a scale that is a number itself.
  for (const double scale : {1e38, 2e-3}) {
    Json header = {
        {"w", {{"dtype", "I8"}, {"shape", {1}}, {"data_offsets", {0, 1}}}},
        {"w.scale", {{"dtype", "F64"}, {"shape", Json::array()}, {"data_offsets", {1, 9}}}}};
    const std::string text = header.dump();
    std::string file(8, '\0');
    file[0] = static_cast<char>(text.size() & 255U);
    file[1] = static_cast<char>(text.size() >> 8U);
    file += text + '\x7f' + std::string(reinterpret_cast<const char*>(&scale), sizeof scale);
    if (scale < 1)
      CHECK(read_tensor_file(file).tensors.at("w").data[0] == doctest::Approx(.254));
    else
      CHECK_THROWS_WITH((void)read_tensor_file(file), doctest::Contains("too large"));
  }
  CHECK(bytes_of(learner) == good);
}
#endif

}  // namespace attend::learner_moments_test
