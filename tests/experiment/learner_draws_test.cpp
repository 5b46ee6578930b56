// SPDX-License-Identifier: Apache-2.0
// What a step of training draws: the same kind of numbers as a run, other ones at every step, and none where the
// document gives them.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <set>

#include "experiment/learning/learner.h"
#include "experiment/service.h"
#include "experiment/text/json_parse.h"

namespace attend::learner_draws_test {
namespace {

// A reader of eight digits that learns next to nothing, so that only what is drawn changes its loss.
Json reads(const Json& attention, const Json& training = Json::object()) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 2, "inputs": {},
    "model": [
      {"name": "e", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 4},
      {"name": "a", "type": "attention", "inputs": {"x": "e"}, "query": "self-attention"},
      {"name": "o", "type": "om-softmax", "inputs": {"x": "a"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "o.logits", "target": "target"}}],
    "training": {"task": {"type": "task-reverse", "shortest": 8, "longest": 8, "end": 0}, "batch": 4, "steps": 100,
                 "optimiser": {"type": "sgd", "rate": 1e-12}}})");
  json["model"][1].merge_patch(attention);
  json["training"].merge_patch(training);
  return json;
}

double loss_on(Learner& learner, const Example& example) {
  const StepReport report = learner.step_on({&example});
  REQUIRE(report.failure.empty());
  return report.loss;
}

// How many different losses one example has over some steps.
std::size_t different_losses(Learner& learner) {
  std::set<long> losses;
  for (int i = 0; i < 20; ++i)
    losses.insert(std::lround(loss_on(learner, learner.held_out().front()) * 1e5));
  return losses.size();
}

// The loss of the first held-out example in a plain run with the learner's weights and these parameters.
double loss_of_run(const Learner& learner, const Json& parameters) {
  Json document = learner.lesson().document;
  const Example& example = learner.held_out().front();
  for (std::size_t field = 0; field < 2; ++field) {
    document["inputs"][field == 0 ? "source" : "target"] = {
        {"tokens", tokens_of(*learner.lesson().source, field, example.fields[field])}};
  }
  document.erase("training");
  document["parameters"] = parameters;
  for (const auto& [name, tensor] : learner.shipped().tensors)
    document["parameters"][name] = {{"shape", tensor.shape}, {"data", tensor.data}};
  return Json::parse(run_document(document.dump()))["outputs"]["loss"]["data"][0];
}

}  // namespace

TEST_CASE("a step draws clusters and rows, not places of the parameter itself") {
  Json clustered = reads({{"core", "clustered"}});
  clustered["training"]["task"]["shortest"] = clustered["training"]["task"]["longest"] = 5;
  Learner learner(clustered);
  for (int i = 0; i < 20; ++i) CHECK(learner.step().failure.empty());
  Learner landmarks(reads({{"core", {{"type", "skyformer"}, {"count", 3}}}}));
  CHECK(different_losses(landmarks) > 5);
}

TEST_CASE("draws that the document gives are those of every step") {
  const auto given = [](Json document, const char* name, const Json& numbers) {
    document["parameters"] = {{name, numbers}};
    Learner learner(document);
    CHECK(different_losses(learner) == 1);
    const double loss = loss_on(learner, learner.held_out().front());
    CHECK(loss == doctest::Approx(loss_of_run(learner, document["parameters"])).epsilon(1e-5));
    return std::lround(loss * 1e5);
  };
  const Json picks = reads({{"mask", Json::array({{{"type", "mask-mlm"}, {"rate", .5}}})}});
  const auto picked = [&](double u_pick) {
    Json document = picks;
    document["parameters"]["a.mask.0.u_kind"] = std::vector<double>(8, .1);
    document["parameters"]["a.mask.0.u_pick"] = std::vector<double>(8, u_pick);
    Learner learner(document);
    CHECK(different_losses(learner) == 1);
    return std::lround(loss_on(learner, learner.held_out().front()) * 1e5);
  };
  CHECK(picked(0) != picked(.99));  // all words, and none
  const Json sky = reads({{"core", {{"type", "skyformer"}, {"count", 3}}}});
  CHECK(given(sky, "a.landmarks", {0, 1, 2}) != given(sky, "a.landmarks", {2, 5, 7}));
  Json clusters = reads({{"core", {{"type", "clustered"}, {"clusters", 2}}}});
  CHECK(given(clusters, "a.assignment", {0, 0, 0, 0, 1, 1, 1, 1}) !=
        given(clusters, "a.assignment", {0, 1, 0, 1, 0, 1, 0, 1}));
}

TEST_CASE(
    "a guide of weights that nothing can move is given up, and nothing else is written in its place") {
  const auto first_loss = [](double guide) {
    Learner learner(reads({{"alignment", {{"type", "uniform"}}}}, {{"guide", guide}}));
    return loss_on(learner, learner.held_out().front());
  };
  CHECK(first_loss(.5) == doctest::Approx(first_loss(0)).epsilon(1e-6));
}

TEST_CASE("a weight that only choices read has no gradient, and no decay shrinks it") {
  Json document = reads({{"core", {{"type", "routing"}, {"clusters", 2}}}},
                        {{"optimiser", {{"type", "adamw"}, {"rate", .01}, {"weight-decay", .5}}}});
  Learner learner(document);
  const TensorFile before = learner.shipped();
  for (int i = 0; i < 20; ++i) REQUIRE(learner.step().failure.empty());
  const TensorFile after = learner.shipped();
  std::size_t still = 0, moved = 0;
  for (const auto& [name, tensor] : before.tensors) {
    CAPTURE(name);
    const bool same = after.tensors.at(name).data == tensor.data;
    CHECK(same == name.ends_with(".mu"));
    (same ? still : moved) += 1;
  }
  CHECK(still == 1);
  CHECK(moved > 3);
}

}  // namespace attend::learner_draws_test
