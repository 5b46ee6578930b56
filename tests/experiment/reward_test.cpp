// SPDX-License-Identifier: Apache-2.0
// Learning where to look when the look is drawn: REINFORCE with a moving baseline, and straight-through.
#include <cmath>
#include <doctest/doctest.h>

#include "experiment/learning/learner.h"

namespace attend::reward_test {
namespace {

// One drawn look at a few words, and a class.
Json document(const Json& training) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 4},
      {"name": "look", "type": "attention", "query": "query-learned", "score": "dot",
       "alignment": "hard-sample", "inputs": {"key": "embedding", "value": "embedding"}},
      {"name": "out", "type": "om-softmax", "inputs": {"x": "look"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}}],
    "training": {"task": {"type": "task-recall", "fewest": 2, "most": 2}, "batch": 8, "steps": 400,
                 "optimiser": {"type": "sgd", "rate": 1}}})");
  json["training"].merge_patch(training);
  return json;
}

using Tensors = decltype(TensorFile::tensors);

// sum over looks of their chance times the loss that they end in, in plain loops.
double expected_loss(const Tensors& w, const Example& example) {
  const std::vector<double>&E = w.find("embedding.E")->second.data,
        &q = w.find("look.query.q")->second.data, &W = w.find("out.W_c")->second.data,
        &b = w.find("out.b_c")->second.data;
  const std::size_t classes = b.size(), right = example.fields[1].words[0];
  double sum = 0, total = 0;
  for (const std::size_t word : example.fields[0].words) {
    double score = 0, all = 0;
    for (std::size_t c = 0; c < 4; ++c) score += q[c] * E[word * 4 + c];
    std::vector<double> logits(b.begin(), b.end());
    for (std::size_t k = 0; k < classes; ++k) {
      for (std::size_t c = 0; c < 4; ++c) logits[k] += E[word * 4 + c] * W[c * classes + k];
      all += std::exp(logits[k]);
    }
    sum += std::exp(score) * (std::log(all) - logits[right]);
    total += std::exp(score);
  }
  return sum / total;
}

// Lines of five words, one of which settles the label: whoever looks elsewhere can only guess.
std::string lines() {
  Draws draws(RandomStream(11, "lines"));
  std::string text;
  for (int i = 0; i < 600; ++i) {
    const std::size_t at = draws.below(5), label = draws.below(2);
    for (std::size_t k = 0; k < 5; ++k)
      text += (k == at ? (label == 0 ? "sunny" : "rainy") : "w" + std::to_string(draws.below(12))) +
              std::string(" ");
    text += label == 0 ? "\tgo\n" : "\tstay\n";
  }
  return text;
}

double accuracy_with(const Json& estimator) {
  Json training{
      {"task",
       {{"type", "task-labels"}, {"text", lines()}, {"fewest", nullptr}, {"most", nullptr}}},
      {"batch", 32},
      {"optimiser", {{"type", "adam"}, {"rate", 0.02}}}};
  if (!estimator.is_null()) training["estimator"] = estimator;
  Learner learner(document(training));
  for (int i = 0; i < 400; ++i) REQUIRE(learner.step().failure.empty());
  return learner.measure(60).accuracy;
}

}  // namespace

TEST_CASE("the moving baseline's estimate is, on average, the gradient of the expected loss") {
  Learner learner(document({{"estimator", "moving-baseline"}}));
  TensorFile file = learner.checkpoint();
  for (auto& [name, tensor] : file.tensors) {
    for (double& x : tensor.data) x *= 3;  // so that looks and losses differ
  }
  learner.restore(file);
  const Tensors before = learner.checkpoint().tensors;
  const Example& example = learner.held_out().front();
  // Every copy of the example draws its own look.
  const std::vector<const Example*> copies(8192, &example);
  (void)learner.step_on(copies);
  const Tensors after = learner.checkpoint().tensors;
  for (const auto& [name, tensor] : before) {
    CAPTURE(name);
    double square = 0, miss = 0;
    for (std::size_t i = 0; i < tensor.data.size(); ++i) {
      Tensors above = before, below = before;
      above.find(name)->second.data[i] += 1e-5;
      below.find(name)->second.data[i] -= 1e-5;
      const double exact = (expected_loss(above, example) - expected_loss(below, example)) / 2e-5;
      const double found = tensor.data[i] - after.find(name)->second.data[i];  // the rate is 1
      square += exact * exact;
      miss += (found - exact) * (found - exact);
    }
    CAPTURE(square);
    CHECK(square > 1e-3);
    CHECK(std::sqrt(miss / square) < .15);
  }
}

TEST_CASE("without an estimator a drawn look learns nothing of where to look") {
  Learner learner(document(Json::object()));
  const Tensors before = learner.checkpoint().tensors;
  for (int i = 0; i < 3; ++i) (void)learner.step();
  const Tensors after = learner.checkpoint().tensors;
  CHECK(before.find("look.query.q")->second.data == after.find("look.query.q")->second.data);
  CHECK(before.find("out.W_c")->second.data != after.find("out.W_c")->second.data);
}

TEST_CASE("a drawn look learns to find the word that counts, by rewards and straight through") {
  const double chance = accuracy_with(Json()), rewarded = accuracy_with("moving-baseline"),
               through = accuracy_with("straight-through");
  CAPTURE(chance);
  CHECK(chance < .8);
  CHECK(rewarded > .9);
  CHECK(through > .9);
}

TEST_CASE(
    "a rewarded training stopped and resumed is the unbroken one, baseline and draws included") {
  const Json json = document({{"estimator", "moving-baseline"}});
  Learner unbroken(json), first(json), second(json);
  for (int i = 0; i < 6; ++i) (void)unbroken.step();
  for (int i = 0; i < 4; ++i) (void)first.step();
  second.restore(read_tensor_file(write_tensor_file(first.checkpoint(), NumberCode::whole)));
  for (int i = 0; i < 2; ++i) (void)second.step();
  CHECK(second.checkpoint().metadata == unbroken.checkpoint().metadata);
  CHECK(write_tensor_file(second.checkpoint(), NumberCode::whole) ==
        write_tensor_file(unbroken.checkpoint(), NumberCode::whole));
  TensorFile bad = first.checkpoint();
  bad.metadata["baseline"] = "0.5";
  CHECK_THROWS_WITH(second.restore(bad), doctest::Contains("\"baseline\" is not a number"));
}

TEST_CASE("rewards go to one draw per choice, and to choices") {
  Json many = document({{"estimator", "moving-baseline"}});
  many["model"][1]["alignment"] = {{"type", "hard-sample"}, {"samples", 3}};
  CHECK_THROWS_WITH(Learner{many}, doctest::Contains("one draw per choice"));
  Json soft = document({{"estimator", "moving-baseline"}});
  soft["model"][1]["alignment"] = "softmax";
  CHECK_THROWS_WITH(Learner{soft}, doctest::Contains("no mechanism of the document makes choices"));
}

}  // namespace attend::reward_test
