// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/evaluate_learner.h"

#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <sstream>

#include "evaluation/measure.h"
#include "ops/error.h"
#include "tests/checkout.h"

namespace attend::evaluate_learner_test {
namespace {

Json reverse() {
  std::ifstream file(testing::in_checkout("/examples/trained/reverse.json"));
  std::ostringstream text;
  text << file.rdbuf();
  return Json::parse(text.str());
}

Json by_id(const Json& answer, const std::string& id) {
  for (const Json& one : answer["measures"]) {
    if (one["measure"] == id) return one;
  }
  return {};
}

TEST_CASE("a model under training is measured on held-out examples by all that can read them") {
  Learner learner(reverse());
  for (int i = 0; i < 3; ++i) learner.step();
  const Json answer = evaluate_learner(learner, {{"examples", 40}});
  CHECK(answer["step"] == 3);
  for (const char* id : {"accuracy", "error-rate", "f1", "bleu", "wer", "perplexity", "entropy",
                         "aer", "supervised-xent"}) {
    CAPTURE(id);
    const Json one = by_id(answer, id);
    REQUIRE(one.is_object());
    CHECK(one["value"].is_number());
  }
  CHECK(by_id(answer, "ssim").is_null());              // there is no image
  CHECK(by_id(answer, "per").is_null());               // nobody says that its words are sounds
  CHECK(by_id(answer, "permutation-test").is_null());  // only asked for by name
  // The same numbers as the learner's own.
  const Measures own = learner.measure(40);
  CHECK(by_id(answer, "accuracy")["value"].get<double>() == doctest::Approx(own.accuracy));
  CHECK(by_id(answer, "error-rate")["value"].get<double>() == doctest::Approx(1 - own.accuracy));
}

TEST_CASE("chances and maps of held-out examples are those of each right word and row") {
  Learner learner(reverse());
  const auto seen = learner.seen(70);  // more than two batches, the last one part full
  REQUIRE(seen.size() == 70);
  for (const Learner::Seen& one : seen) {
    CHECK(one.truth.size() == one.written.size());
    CHECK(one.chance.size() == one.truth.size());
    for (const double chance : one.chance) CHECK((chance > 0 && chance < 1));
    REQUIRE(one.map.shape == Shape{8, 8});
    for (std::size_t row = 0; row < 8; ++row) {
      double sum = 0;
      for (std::size_t k = 0; k < 8; ++k) sum += one.map.data[row * 8 + k];
      CHECK(sum == doctest::Approx(1).epsilon(1e-5));
    }
  }
}

TEST_CASE("measures of a whole model read the pinned example with the weights as they are") {
  Learner learner(reverse());
  const Json wanted = Json::array({"uniform-ablation", "permutation-test"});
  const Json before = evaluate_learner(learner, {{"measures", wanted}});
  REQUIRE(before["measures"].size() == 2);
  CHECK(before["measures"][0]["measure"] == "uniform-ablation");
  for (int i = 0; i < 5; ++i) learner.step();
  const Json after = evaluate_learner(learner, {{"measures", wanted}});
  CHECK(after["measures"][1]["value"] != before["measures"][1]["value"]);
}

TEST_CASE("what a measure of a training cannot be is said") {
  Learner learner(reverse());
  const auto path_of = [&](const Json& request) {
    try {
      evaluate_learner(learner, request);
    } catch (const Error& error) {
      return error.path;
    }
    return std::string("no error");
  };
  CHECK(path_of({{"measures", Json::array({"bleu", "blue"})}}) == "/measures/1");
  CHECK(path_of({{"measures", "bleu"}}) == "/measures");
  CHECK(path_of({{"measures", Json::array({"ssim"})}}) == "/measures");
  CHECK(path_of({{"examples", 0}}) == "/examples");
  CHECK(path_of({{"example", 3}}) == "/example");
}

TEST_CASE("a model with a part swapped takes the weights that still fit") {
  Learner trained(reverse());
  for (int i = 0; i < 5; ++i) trained.step();
  const TensorFile file = trained.checkpoint();
  Json document = reverse();
  document["model"][1]["score"] = {{"type", "additive"}, {"hidden", 8}};
  Learner swapped(document);
  swapped.step();
  const Learner::Taken taken = swapped.take(file);
  CHECK(swapped.steps_taken() == 0);
  CHECK(!taken.taken.empty());
  CHECK(!taken.own.empty());  // those of the other score
  const TensorFile now = swapped.shipped();
  for (const std::string& name : taken.taken)
    CHECK(now.tensors.at(name).data == file.tensors.at(name).data);
  for (const std::string& name : taken.own) CHECK(!file.tensors.contains(name));
  swapped.step();
  CHECK(swapped.steps_taken() == 1);
  TensorFile none;
  none.tensors["other"] = {{1}, {0.0}};
  CHECK_THROWS_AS(swapped.take(none), Error);
  CHECK(swapped.steps_taken() == 1);
}

}  // namespace
}  // namespace attend::evaluate_learner_test
