// SPDX-License-Identifier: Apache-2.0
// Batches whose texts have other sentence ends: each text with its own, and the mean of their gradients.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <map>
#include <set>

#include "catalogue/parts/structures/levels.h"
#include "experiment/learning/learner.h"
#include "tests/experiment/recording_count.h"

namespace attend::mixed_forms_test {
namespace {

#ifdef ATTEND_DOUBLE
constexpr double rounding = 1e-12;
#else
constexpr double rounding = 2e-5;
#endif

// Without a clip, one step of this rate changes each weight by its gradient.
Json document(const Json& training) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 1, "inputs": {},
    "model": [
      {"name": "words", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
      {"name": "text", "type": "hierarchical", "inputs": {"x": "words"},
       "words": {"type": "fm-birnn", "hidden": 4}},
      {"name": "question", "type": "fm-embedding", "inputs": {"x": "aspect"}, "dim": 8},
      {"name": "asked", "type": "fm-pool", "by": "mean", "inputs": {"x": "question"}},
      {"name": "both", "type": "fm-combine", "inputs": {"x1": "text", "x2": "asked"}},
      {"name": "class", "type": "om-softmax", "inputs": {"x": "both"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "class.logits", "target": "target"}}],
    "training": {"task": {"type": "task-aspects", "fewest": 2, "most": 3}, "batch": 32, "clip": 0,
                 "optimiser": {"type": "sgd", "rate": 1}}})");
  json["training"].merge_patch(training);
  return json;
}

using Weights = std::map<std::string, Tensor, std::less<>>;

Weights weights_of(const Learner& learner) { return learner.shipped().tensors; }

double farthest(const Weights& a, const Weights& b) {
  double most = 0;
  for (const auto& [name, tensor] : a) {
    for (std::size_t k = 0; k < tensor.data.size(); ++k)
      most = std::max(most, std::abs(tensor.data[k] - b.at(name).data[k]));
  }
  return most;
}

std::vector<std::size_t> ends_of(const Learner& learner, const Example& example) {
  const auto tokens = tokens_of(*learner.lesson().source, 0, example.fields[0]);
  std::vector<std::size_t> ends;
  for (const Span& span : sentences_of(tokens, tokens.size())) ends.push_back(span.stop);
  return ends;
}

std::string bytes_of(const Learner& learner) {
  return write_tensor_file(learner.checkpoint(), NumberCode::whole);
}

}  // namespace

TEST_CASE("a batch of mixed forms has the mean of the gradients that its examples have alone") {
  Learner reader(document(Json::object()));
  const Learner::Reading reading = reader.reading_of(1);
  REQUIRE(reading.examples.size() == 32);
  std::set<std::vector<std::size_t>> forms;
  std::vector<const Example*> batch;
  for (const Example& example : reading.examples) {
    forms.insert(ends_of(reader, example));
    batch.push_back(&example);
  }
  REQUIRE(forms.size() > 4);
  std::ranges::reverse(batch);  // in whichever order they stand
  Weights mean = weights_of(reader);
  double loss = 0;
  for (const Example* example : batch) {
    Learner one(document(Json::object()));
    const Weights before = weights_of(one);
    loss += one.step_on({example}).loss / 32;
    for (auto& [name, tensor] : mean) {
      const std::vector<double> after = weights_of(one).at(name).data;
      for (std::size_t k = 0; k < after.size(); ++k)
        tensor.data[k] += (after[k] - before.at(name).data[k]) / 32;
    }
  }
  for (const int shares : {1, 2, 3}) {
    CAPTURE(shares);
    Learner whole(document({{"shares", shares}}));
    const Weights first = weights_of(whole);
    CHECK(whole.step_on(batch).loss == doctest::Approx(loss).epsilon(1e-5));
    CHECK(farthest(weights_of(whole), first) > 1e-3);
    CHECK(farthest(weights_of(whole), mean) < rounding);
  }
}

TEST_CASE("batches of texts with other sentence ends hold different examples") {
  Learner learner(document(Json::object()));
  const Task& task = *learner.lesson().settings.task;
  std::size_t different = 0, mixed = 0;
  constexpr std::uint64_t steps = 20;
  for (std::uint64_t step = 1; step <= steps; ++step) {
    std::set<std::string> keys;
    std::set<std::vector<std::size_t>> forms;
    for (const Example& example : learner.reading_of(step).examples) {
      keys.insert(key_of(task, example));
      forms.insert(ends_of(learner, example));
    }
    different += keys.size();
    mixed += forms.size() > 1 ? 1 : 0;
  }
  // Only a length of few texts fills its batch with some of them twice.
  CHECK(different > steps * 28);
  CHECK(mixed > steps / 2);
}

TEST_CASE("a training with many sentence ends records hardly more than one program for each form") {
  const Json many = document({{"task", {{"fewest", 2}, {"most", 2}}}});
  Learner reader(many), learner(many);
  std::set<std::vector<std::size_t>> forms;
  constexpr std::uint64_t steps = 30;
  for (std::uint64_t step = 1; step <= steps; ++step) {
    for (const Example& example : reader.reading_of(step).examples)
      forms.insert(ends_of(reader, example));
  }
  REQUIRE(forms.size() > 60);
  const auto recorded_in = [&](std::uint64_t count) {
    const testing::RecordingCount recorded;
    for (std::uint64_t step = 0; step < count; ++step) (void)learner.step();
    return recorded.documents();
  };
  CAPTURE(forms.size());
  const std::size_t first = recorded_in(1), each = first / learner.programs();
  REQUIRE(first == each * learner.programs());
  // Sizes of 1, 2, 4 and so on would need half as many again, and so would programs that are recorded a second time.
  CHECK(4 * (first + recorded_in(steps - 1)) <= 5 * each * forms.size());
}

TEST_CASE("mixed forms learn the same numbers with any number of workers, and when resumed") {
  const Json both = document({{"shares", 2}, {"optimiser", {{"type", "adam"}, {"rate", 0.01}}}});
  Learner alone(both), leads(both), follows(both);
  for (int k = 0; k < 4; ++k) {
    const auto meet = [&](std::span<real> all, std::size_t each) {
      const StepReport second =
          follows.step({1, 2, [&](std::span<real> others, std::size_t) {
                          REQUIRE(others.size() == all.size());
                          std::copy_n(all.begin(), each, others.begin());
                          std::copy(others.begin() + static_cast<long>(each), others.end(),
                                    all.begin() + static_cast<long>(each));
                          return true;
                        }});
      return second.taken;
    };
    CHECK(leads.step({0, 2, meet}).loss == alone.step().loss);
  }
  CHECK(bytes_of(leads) == bytes_of(alone));
  CHECK(bytes_of(follows) == bytes_of(alone));
  Learner resumed(both);
  resumed.restore(alone.checkpoint());
  CHECK(resumed.step().loss == alone.step().loss);
  CHECK(bytes_of(resumed) == bytes_of(alone));
}

}  // namespace attend::mixed_forms_test
