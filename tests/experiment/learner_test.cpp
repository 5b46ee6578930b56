// SPDX-License-Identifier: Apache-2.0
// Training: against PyTorch, whose losses tests/python/training_goldens.py wrote down; stopped and resumed; gone wrong.
#include "experiment/learning/learner.h"

#include <cmath>
#include <doctest/doctest.h>
#include <fstream>
#include <limits>
#include <sstream>

#include "experiment/learning/train.h"
#include "tests/checkout.h"

namespace attend::learner_test {
namespace {

#ifdef ATTEND_DOUBLE
constexpr double golden_tolerance = 1e-4;
#else
constexpr double golden_tolerance = 2e-2;
#endif

Json goldens() {
  std::ifstream file(testing::in_checkout("/tests/experiment/training_goldens.json"));
  std::ostringstream text;
  text << file.rdbuf();
  return parse_json(text.str());
}

// A small model for sequences of digits, and how it is trained.
Json document(const Json& training = Json::object()) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
      {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 5},
      {"name": "decoder", "type": "om-decoder", "hidden": 7, "dim": 6,
       "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"},
       "attention": {"score": {"type": "additive", "hidden": 6}}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}],
    "training": {"task": {"type": "task-reverse", "shortest": 3, "longest": 5}, "batch": 8, "steps": 40,
                 "optimiser": {"type": "adam", "rate": 0.01}}})");
  json["training"].merge_patch(training);
  return json;
}

struct Refused {
  std::string path, says;
};
template <class Work>
Refused refused(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return {error.path, error.what()};
  }
  return {"nowhere", "nothing was refused"};
}
Refused refused_training(const Json& training) {
  return refused([&] { Learner learner(document(training)); });
}

std::vector<double> losses(Learner& learner, int steps) {
  std::vector<double> list;
  for (int i = 0; i < steps; ++i) list.push_back(learner.step().loss);
  return list;
}

}  // namespace

TEST_CASE(
    "200 steps of training equal PyTorch's: adam with clipping, momentum with decay, adamw with a schedule") {
  const Json golden = goldens();
  for (const Json& run : golden["runs"]) {
    CAPTURE(run["name"].dump());
    Json changed = golden["document"];
    changed["training"].merge_patch(run["training"]);
    Learner learner(changed);
    std::vector<std::vector<Example>> batches;
    for (const Json& batch : golden["batches"]) {
      batches.emplace_back();
      for (const Json& source : batch)
        batches.back().push_back(
            *learner.lesson().source->answer(source.get<std::vector<std::string>>()));
    }
    CHECK(run["losses"].size() == 200);
    for (std::size_t step = 0; step < run["losses"].size(); ++step) {
      std::vector<const Example*> examples;
      for (const Example& example : batches[step % batches.size()]) examples.push_back(&example);
      const double expected = run["losses"][step].get<double>(),
                   found = learner.step_on(examples).loss;
      CAPTURE(step);
      CHECK(std::abs(found - expected) <= golden_tolerance * expected);
    }
  }
}

TEST_CASE("what is 0 before the first step is no weight: it fits examples of any length") {
  for (const char* score : {"location-aware", "coverage-linguistic", "coverage-subsymbolic"}) {
    CAPTURE(score);
    Json json = document();
    json["model"][2]["attention"]["score"] = {{"type", score}};
    // The task has sources of three to five digits.
    Learner learner(json);
    const std::vector<double> all = losses(learner, 40);
    CHECK(all.back() < all.front());
    TensorFile file = learner.checkpoint();
    const std::string start = "decoder.attention.score.initial";
    CHECK(!file.tensors.contains(start));
    // Version 1.0.0 learned it, and then every example had the same length.
    file.tensors[start] = {{4}, {0.5, 0.5, 0.5, 0.5}};
    Learner resumed(json);
    resumed.restore(file);
    CHECK(losses(resumed, 3) == losses(learner, 3));
    file.tensors["decoder.attention.score.other"] = {{1}, {0.5}};
    CHECK(refused([&] { resumed.restore(file); }).says.find("no weight") != std::string::npos);
  }
}

TEST_CASE(
    "stopped and resumed equals unbroken, bit for bit, with dropout, unknown words and the model's own words") {
  const Json json = document({{"dropout", 0.2},
                              {"word-dropout", {{"source", 0.2}, {"target", 0.1}}},
                              {"teacher-forcing", 0.7},
                              {"clip", 1},
                              {"guide", 0.5},
                              {"schedule", {{"type", "cosine"}, {"warmup", 5}}}});
  Learner unbroken(json), first(json);
  const std::vector<double> whole = losses(unbroken, 30);
  (void)losses(first, 13);
  const std::string bytes = write_tensor_file(first.checkpoint(), NumberCode::whole);
  (void)losses(first, 3);  // what happens afterwards changes nothing
  Learner second(json);
  second.restore(read_tensor_file(bytes));
  CHECK(second.steps_taken() == 13);
  const std::vector<double> rest = losses(second, 17);
  for (std::size_t i = 0; i < rest.size(); ++i) CHECK(rest[i] == whole[13 + i]);
  CHECK(write_tensor_file(unbroken.checkpoint(), NumberCode::whole) ==
        write_tensor_file(second.checkpoint(), NumberCode::whole));
  // A measurement in between changes nothing either.
  Learner measured(json);
  (void)losses(measured, 9);
  (void)measured.measure(50);
  (void)measured.pinned();
  CHECK(measured.step().loss == whole[9]);
}

TEST_CASE("an epoch's end is passed as if nothing had been stopped there") {
  const Json json = document({{"batch", 512}});
  Learner unbroken(json), first(json);
  const std::vector<double> whole = losses(unbroken, 20);
  (void)losses(first, 10);
  Learner second(json);
  second.restore(first.checkpoint());
  const std::vector<double> rest = losses(second, 10);
  CHECK(std::vector<double>(whole.begin() + 10, whole.end()) == rest);
  CHECK(first.checkpoint().metadata.at("epoch") != "0");
}

TEST_CASE("a small model learns to reverse, and to look where the answer stands") {
  Learner learner(document({{"task", {{"shortest", 4}, {"longest", 4}}},
                            {"batch", 32},
                            {"guide", 1},
                            {"optimiser", {{"type", "adam"}, {"rate", 0.02}}}}));
  const Measures before = learner.measure(100);
  CHECK(before.examples == 100);
  CHECK(before.accuracy < 0.5);
  (void)losses(learner, 250);
  const Measures after = learner.measure(100);
  CAPTURE(after.loss);
  CHECK(after.loss < before.loss / 2);
  CHECK(after.accuracy > 0.7);
  CHECK(after.means > 0.9);
  CHECK(after.agrees >= after.means);
}

TEST_CASE(
    "the pinned example is the document's own, with its truth, or without one a held-out one") {
  Json json = document();
  json["inputs"]["source"]["tokens"] = {"7", "1", "4"};
  Learner learner(json);
  const Pinned pinned = learner.pinned();
  CHECK(pinned.source == std::vector<std::string>{"7", "1", "4"});
  CHECK(pinned.truth == std::vector<std::string>{"4", "1", "7", "<end>"});
  CHECK(pinned.written.size() == 4);
  REQUIRE(pinned.maps.size() == 1);
  CHECK(pinned.maps[0].name == "decoder.weights");
  CHECK(pinned.maps[0].rows == 4);
  CHECK(pinned.maps[0].columns == 3);
  CHECK(pinned.links.size() == 3);
  double sum = 0;
  for (std::size_t c = 0; c < 3; ++c) sum += static_cast<double>(pinned.maps[0].weights[c]);
  CHECK(sum == doctest::Approx(1));
  CHECK(Learner(document()).pinned().truth.size() >= 4);
}

TEST_CASE("the model of translate.json learns: most words of held-out sentences after 100 steps") {
  std::ifstream file(testing::in_checkout("/examples/trained/translate.json"));
  std::ostringstream text;
  text << file.rdbuf();
  Learner learner(parse_json(text.str()));
  CHECK(learner.measure(100).accuracy < .2);
  for (int i = 0; i < 100; ++i) CHECK(learner.step().failure.empty());
  CHECK(learner.measure(100).accuracy > .6);
}

TEST_CASE("a rate too large ends in the last good state, and says so") {
  Learner learner(document({{"optimiser", {{"type", "sgd"}, {"rate", 1000}}}}));
  std::string failure;
  for (int i = 0; i < 400 && failure.empty(); ++i) failure = learner.step().failure;
  // Where the losses stay finite all the same, infinite weights are made by hand.
  if (failure.empty()) {
    TensorFile file = learner.checkpoint();
    for (auto& [name, tensor] : file.tensors) {
      for (double& x : tensor.data) x = .9 * static_cast<double>(std::numeric_limits<real>::max());
    }
    learner.restore(file);
    for (int i = 0; i < 40 && failure.empty(); ++i) failure = learner.step().failure;
  }
  CHECK(failure.find("no longer") != std::string::npos);
  CHECK(failure.find("back at step " + std::to_string(learner.steps_taken())) != std::string::npos);
  CHECK(learner.step().failure == failure);  // it stays there
  const TensorFile kept = learner.checkpoint();
  for (const auto& [name, tensor] : kept.tensors) {
    for (const double x : tensor.data) CHECK(std::isfinite(x));
  }
}

TEST_CASE("settings that cannot be are refused at their place") {
  CHECK(refused_training({{"optimiser", {{"rate", 0}}}}).path == "/training/optimiser/rate");
  CHECK(refused_training({{"optimiser", {{"rate", -1}}}}).says ==
        "expected a number above 0 and at most 1000, found -1");
  CHECK(refused_training({{"optimiser", {{"rate", 1e9}}}}).path == "/training/optimiser/rate");
  CHECK(refused_training({{"optimiser", {{"type", "lion"}}}}).says.find("sgd, adam, adamw") !=
        std::string::npos);
  CHECK(refused_training({{"optimiser", {{"momentum", 0.5}}}}).path ==
        "/training/optimiser/momentum");
  CHECK(refused_training({{"batch", 0}}).path == "/training/batch");
  CHECK(refused_training({{"dropout", 1}}).path == "/training/dropout");
  CHECK(refused_training({{"epochs", 3}}).path == "/training/epochs");
  CHECK(refused_training({{"task", {{"shortest", 9}}}}).path == "/training/task/shortest");
  CHECK(refused_training({{"task", {{"type", "task-nothing"}}}}).path == "/training/task/type");
  CHECK(refused_training({{"task", {{"longest", 3}, {"symbols", 5}}}}).path == "/training/task");
  CHECK(
      refused_training({{"task", {{"inputs", {{"question", "x"}}}}}}).says.find("source, target") !=
      std::string::npos);
  CHECK(refused_training({{"schedule", "steep"}}).path == "/training/schedule");
}

TEST_CASE("a task that does not fit the document says which port") {
  CHECK(refused_training({{"task", {{"inputs", {{"source", "other"}}}}}})
            .path.starts_with("/model/0/inputs"));
  Json unread = document();
  unread["model"][2]["inputs"].erase("target");
  unread["model"][2]["feed"] = "greedy";
  unread["model"][2]["vocabulary"] = {"<start>", "<end>", "<unknown>", "0"};
  unread["model"].erase(3);
  CHECK(refused([&] { Learner learner(unread); }).says.find("vocabulary") != std::string::npos);
  Json no_loss = document();
  no_loss["model"].erase(3);
  const Refused nothing = refused([&] { Learner learner(no_loss); });
  CHECK(nothing.path == "/training");
  CHECK(nothing.says.find("add a loss") != std::string::npos);
  Json numbers = document();
  numbers["inputs"]["source"] = {{"matrix", {{1, 2}}}};
  CHECK(refused([&] { Learner learner(numbers); }).path == "/inputs/source");
  Json words = document();
  words["model"][0]["vocabulary"] = {"<start>", "<end>", "<unknown>", "dog"};
  const Refused lacks = refused([&] { Learner learner(words); });
  CHECK(lacks.path == "/model/0/vocabulary");
  CHECK(lacks.says.find("it lacks \"0\"") != std::string::npos);
  Json none = document();
  none.erase("training");
  CHECK(refused([&] { Learner learner(none); }).path == "/training");
}

TEST_CASE(
    "files of weights that are not what they seem are refused, and the session stays as it was") {
  Learner learner(document());
  (void)losses(learner, 3);
  const std::string good = write_tensor_file(learner.checkpoint(), NumberCode::whole);
  const auto says = [&](const std::string& bytes) {
    return refused([&] { learner.restore(read_tensor_file(bytes)); }).says;
  };
  CHECK(says("").find("it has 0 bytes") != std::string::npos);
  CHECK(says(good.substr(0, good.size() - 10)).find("cut short") != std::string::npos);
  CHECK(says(good.substr(0, 200)).find("should give the length of its header") !=
        std::string::npos);
  std::string lies = good;
  lies[6] = 1;
  CHECK(says(lies).find("should give the length of its header") != std::string::npos);
  TensorFile file = learner.checkpoint();
  file.tensors["decoder.b_c"].data[2] = std::nan("");
  CHECK(says(write_tensor_file(file, NumberCode::whole))
            .find("\"decoder.b_c\" holds NaN at index 2") != std::string::npos);
  file = learner.checkpoint();
  file.tensors.erase("decoder.b_c");
  CHECK(says(write_tensor_file(file, NumberCode::whole)).find("it has no \"decoder.b_c\"") !=
        std::string::npos);
  file = learner.checkpoint();
  file.tensors["decoder.b_c"] = {{2}, {1, 2}};
  CHECK(says(write_tensor_file(file, NumberCode::whole)).find("has the shape [2], expected [13]") !=
        std::string::npos);
  file = learner.checkpoint();
  file.metadata["step"] = "-4";
  CHECK(says(write_tensor_file(file, NumberCode::whole)).find("no number \"step\"") !=
        std::string::npos);
  CHECK(learner.steps_taken() == 3);
  CHECK(write_tensor_file(learner.checkpoint(), NumberCode::whole) == good);
}

TEST_CASE(
    "weights that are shipped come back through a document: as float32, as halves and as bytes") {
  Learner learner(document());
  (void)losses(learner, 20);
  const double loss = learner.measure(64).loss;
  for (const auto& [code, tolerance] :
       {std::pair(NumberCode::single, 1e-5), {NumberCode::half, 1e-2}, {NumberCode::bytes, 1e-1}}) {
    give_parameters("test-weights", write_tensor_file(learner.shipped(), code));
    Json json = document();
    json["parameters"]["from"] = "test-weights";
    const double again = Learner(json).measure(64).loss;
    CHECK(std::abs(again - loss) < tolerance);
  }
  Json json = document();
  json["parameters"]["from"] = "nobody-gave-this";
  CHECK(refused([&] { Learner other(json); }).path == "/parameters/from");
}

TEST_CASE("halves are rounded to the nearest, ties to even") {
  CHECK(float_of_half(half_of(1.0F)) == 1.0F);
  CHECK(float_of_half(half_of(-0.333F)) == doctest::Approx(-0.333).epsilon(0.0005));
  CHECK(half_of(1.0F + 0x1p-11F) == half_of(1.0F));
  CHECK(half_of(1.0F + 3 * 0x1p-11F) == half_of(1.0F + 0x1p-9F));
  CHECK(float_of_half(half_of(6e-8F)) == doctest::Approx(0x1p-24));
  CHECK(float_of_half(half_of(1e6F)) == 65504.0F);
  for (std::uint32_t h = 0; h < 0x7c00; ++h)
    CHECK(half_of(float_of_half(static_cast<std::uint16_t>(h))) == h);
}

TEST_CASE("attend train writes a line every K steps, and ends at the step that was asked for") {
  TrainOptions options;
  options.steps = 10;
  options.every = 4;
  std::vector<Json> lines;
  options.line = [&](const std::string& line) { lines.push_back(parse_json(line)); };
  options.seconds = [] { return 0.0; };
  const std::string bytes = train(document().dump(), options).bytes;
  REQUIRE(lines.size() == 3);
  CHECK(lines[0]["step"] == 4);
  CHECK(lines[2]["step"] == 10);
  for (const char* name :
       {"loss", "gradientNorm", "rate", "accuracy", "exact", "alignment", "agrees", "heldOutLoss"})
    CHECK(lines[1].contains(name));
  CHECK(read_tensor_file(bytes).metadata.at("step") == "10");
  options.from = bytes;
  CHECK(refused([&] {
          options.steps = 5;
          (void)train(document().dump(), options);
        }).says.find("already taken 10 steps") != std::string::npos);
}

}  // namespace attend::learner_test
