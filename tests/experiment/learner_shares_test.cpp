// SPDX-License-Identifier: Apache-2.0
// Steps in shares: their gradients add up to those of the whole batch, and learners that exchange shares are, bit for
// bit, one learner that computes them all.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <memory>

#include "experiment/learning/learner.h"
#include "experiment/learning/training_sessions.h"
#include "ops/error.h"

namespace attend::learner_shares_test {
namespace {

#ifdef ATTEND_DOUBLE
constexpr double rounding = 1e-12;
#else
constexpr double rounding = 2e-5;
#endif

// Everything that a step draws: dropout, words that are not read, words of the model's own, and noise for each example.
Json document(const Json& training) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {},
    "model": [
      {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
      {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 5},
      {"name": "decoder", "type": "om-decoder", "hidden": 7, "dim": 6,
       "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"},
       "attention": {"score": {"type": "additive", "hidden": 6}, "alignment": {"type": "hard-sample"}}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}],
    "training": {"task": {"type": "task-reverse", "shortest": 3, "longest": 4}, "batch": 8, "steps": 40,
                 "dropout": 0.2, "word-dropout": 0.2, "teacher-forcing": 0.5, "clip": 1,
                 "optimiser": {"type": "adam", "rate": 0.01}}})");
  json["training"].merge_patch(training);
  return json;
}

Json in_shares(int shares, int batch = 8) { return {{"shares", shares}, {"batch", batch}}; }

std::string bytes_of(const Learner& learner) {
  TensorFile file = learner.checkpoint();
  file.metadata.erase("document");
  return write_tensor_file(file, NumberCode::whole);
}

// One step of two learners that exchange their shares.
StepReport step_of_both(Learner& leads, Learner& follows) {
  StepReport second;
  const StepReport first = leads.step(
      {0, 2, [&](std::span<real> all, std::size_t each) {
         second = follows.step(
             {1, 2, [&](std::span<real> others, std::size_t) {
                for (std::size_t at = 0, share = 0; at < all.size(); at += each, ++share) {
                  const std::span<real> from = (share % 2 == 0 ? all : others).subspan(at, each);
                  std::copy(from.begin(), from.end(),
                            (share % 2 == 0 ? others : all).begin() + static_cast<long>(at));
                }
                return true;
              }});
         return true;
       }});
  CHECK(first.loss == second.loss);
  CHECK(first.gradient_norm == second.gradient_norm);
  return first;
}

std::string refused(const Json& training) {
  try {
    Learner learner(document(training));
  } catch (const Error& error) {
    return error.path + ": " + error.what();
  }
  return "nothing was refused";
}

}  // namespace

TEST_CASE("the gradients of a batch's shares add up to the gradients of the whole batch") {
  for (const int batch : {8, 7}) {
    for (const int shares : {2, 3}) {
      CAPTURE(batch);
      CAPTURE(shares);
      // After one such step the weights differ from the first by the gradients.
      Json whole = in_shares(1, batch);
      whole.update({{"optimiser", {{"type", "sgd"}, {"rate", 1}}}, {"clip", 0}});
      Json parts = whole;
      parts["shares"] = shares;
      Learner one(document(whole)), several(document(parts));
      const StepReport a = one.step(), b = several.step();
      CHECK(b.loss == doctest::Approx(a.loss).epsilon(rounding));
      CHECK(b.gradient_norm == doctest::Approx(a.gradient_norm).epsilon(rounding));
      const TensorFile expected = one.checkpoint(), found = several.checkpoint();
      for (const auto& [name, tensor] : expected.tensors) {
        CAPTURE(name);
        const std::vector<double>& other = found.tensors.at(name).data;
        double apart = 0;
        for (std::size_t i = 0; i < other.size(); ++i)
          apart = std::max(apart, std::abs(tensor.data[i] - other[i]));
        CHECK(apart < rounding);
      }
    }
  }
}

TEST_CASE(
    "two learners that exchange their shares equal one learner bit for bit, and so does one that is left alone") {
  for (const auto& [shares, batch] : {std::pair{2, 8}, {2, 7}, {3, 8}, {5, 7}}) {
    CAPTURE(shares);
    CAPTURE(batch);
    const Json training = document(in_shares(shares, batch));
    Learner alone(training), leads(training), follows(training);
    for (int i = 0; i < 6; ++i) CHECK(alone.step().loss == step_of_both(leads, follows).loss);
    CHECK(bytes_of(alone) == bytes_of(leads));
    CHECK(bytes_of(alone) == bytes_of(follows));
    // The other one does not come: the first computes its shares too, and the other takes no step.
    const auto gone = [](std::span<real>, std::size_t) { return false; };
    CHECK(alone.step().loss == leads.step({0, 2, gone}).loss);
    const std::string before = bytes_of(follows);
    CHECK_FALSE(follows.step({1, 2, gone}).taken);
    CHECK(bytes_of(follows) == before);
    CHECK(bytes_of(alone) == bytes_of(leads));
    // It takes the work up again from a checkpoint.
    follows.restore(leads.checkpoint());
    for (int i = 0; i < 3; ++i) CHECK(alone.step().loss == step_of_both(leads, follows).loss);
    CHECK(bytes_of(alone) == bytes_of(follows));
    CHECK(alone.steps_taken() == 10);
  }
}

TEST_CASE("shares of a training whose weights get no gradient are steps, too") {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 2, "inputs": {},
    "model": [
      {"name": "e", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 4},
      {"name": "a", "type": "attention", "inputs": {"x": "e"}, "query": "self-attention",
       "core": {"type": "routing", "clusters": 2}},
      {"name": "o", "type": "om-softmax", "inputs": {"x": "a"}},
      {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "o.logits", "target": "target"}}],
    "training": {"task": {"type": "task-reverse", "shortest": 8, "longest": 8, "end": 0}, "batch": 4,
                 "steps": 3, "shares": 2, "frozen": ["e.E", "o.*", "a.*W_*"],
                 "optimiser": {"type": "sgd", "rate": 0.1}}})");
  Learner learner(json);
  CHECK(learner.step().gradient_norm == 0);
}

TEST_CASE("a batch has at most as many shares as examples") {
  const auto after = [](int shares, int batch) {
    Learner learner(document(in_shares(shares, batch)));
    for (int i = 0; i < 3; ++i) learner.step();
    return bytes_of(learner);
  };
  CHECK(after(3, 2) == after(2, 2));
  CHECK(after(3, 1) == after(1, 1));
  CHECK(after(2, 8) != after(1, 8));
}

TEST_CASE("workers without a share take the same steps as one learner") {
  // Four workers and two shares: each reads the shares of the others from a room that all write to in turn.
  const Json training = document(in_shares(3, 2));
  Learner alone(training);
  std::vector<std::unique_ptr<Learner>> team;
  for (int i = 0; i < 4; ++i) team.push_back(std::make_unique<Learner>(training));
  for (int i = 0; i < 5; ++i) {
    std::vector<real> room;
    // From the last worker to the first, each within the meeting of the one before: all have written when all read.
    const std::function<StepReport(std::size_t)> step_of = [&](std::size_t worker) {
      return team[worker]->step(
          {worker, 4, [&, worker](std::span<real> all, std::size_t each) {
             room.resize(all.size());
             for (std::size_t share = worker; share * each < all.size(); share += 4)
               std::copy_n(all.begin() + static_cast<long>(share * each), each,
                           room.begin() + static_cast<long>(share * each));
             if (worker + 1 < team.size()) CHECK(step_of(worker + 1).taken);
             std::copy(room.begin(), room.end(), all.begin());
             return true;
           }});
    };
    CHECK(step_of(0).loss == alone.step().loss);
  }
  for (const auto& learner : team) CHECK(bytes_of(*learner) == bytes_of(alone));
}

TEST_CASE("shares of different sizes use one program, so none is recorded again and again") {
  // Seven examples in two shares are three and four.
  const Learner uneven(document(in_shares(2, 7)));
  CHECK(uneven.share_size() == uneven.weights() + 4);
  Learner learner(document({{"shares", 2}, {"batch", 7}, {"task", {{"shortest", 4}}}}));
  for (int i = 0; i < 3; ++i) learner.step();
  CHECK(learner.programs() == 1);
}

TEST_CASE("a training goes on from a checkpoint that was made with another number of shares") {
  for (const auto& [from, to] : {std::pair{1, 2}, {2, 1}, {2, 3}, {3, 2}}) {
    CAPTURE(from);
    CAPTURE(to);
    Learner before(document(in_shares(from)));
    for (int i = 0; i < 5; ++i) before.step();
    const TensorFile checkpoint = before.checkpoint();
    Learner alone(document(in_shares(to))), leads(alone.lesson().document),
        follows(alone.lesson().document);
    for (Learner* one : {&alone, &leads, &follows}) one->restore(checkpoint);
    const double loss = alone.step().loss;
    // The same examples, draws and weights: only the sums are rounded in another order.
    CHECK(loss == doctest::Approx(before.step().loss).epsilon(1e-4));
    CHECK(alone.steps_taken() == 6);
    if (to == 1) continue;
    CHECK(step_of_both(leads, follows).loss == loss);
    CHECK(bytes_of(alone) == bytes_of(leads));
    CHECK(bytes_of(alone) == bytes_of(follows));
  }
}

TEST_CASE("learners that exchange their shares go back together when the numbers are ruined") {
  // Each step makes the weights 10,000 times as large.
  const Json training =
      document({{"shares", 2},
                {"clip", 0},
                {"optimiser", {{"type", "sgd"}, {"rate", 1000}, {"weight-decay", 10}}}});
  Learner alone(training), leads(training), follows(training);
  StepReport expected, found;
  for (int i = 0; i < 200 && expected.failure.empty(); ++i) {
    expected = alone.step();
    found = step_of_both(leads, follows);
    CHECK(found.failure == expected.failure);
  }
  CHECK_FALSE(expected.failure.empty());
  CHECK(bytes_of(alone) == bytes_of(leads));
  CHECK(bytes_of(alone) == bytes_of(follows));
}

TEST_CASE("a session reports its shares, and refuses a worker that is not there") {
  TrainingSessions sessions;
  const auto opened = [&](int shares) {
    return parse_json(sessions.open(document(in_shares(shares)).dump(), ""));
  };
  const Json one = opened(1), three = opened(3);
  CHECK_FALSE(one.contains("shares"));
  CHECK(three["shares"]["count"] == 3);
  // Three of the eight examples.
  CHECK(three["shares"]["size"] == three["weights"].get<std::size_t>() + 3);
  const auto gone = [](std::span<real>, std::size_t) { return false; };
  CHECK_THROWS_WITH_AS(sessions.step(three["session"], 1, 0, {4, 4, gone}),
                       "expected a worker from 0 to 3, because 4 take the steps; found worker 4",
                       Error);
  const Packed none = sessions.step(three["session"], 5, 1e9, {1, 2, gone});
  CHECK(parse_json(none.directory)["taken"] == 0);
}

TEST_CASE("a number of shares that cannot be is refused with its reason") {
  CHECK(refused({{"shares", 0}}) ==
        "/training/shares: expected a whole number from 1 to 64, found 0");
  CHECK(refused({{"shares", 1.5}}) ==
        "/training/shares: expected a whole number from 1 to 64, found 1.5");
  CHECK(
      refused({{"shares", 2}, {"estimator", "moving-baseline"}}) ==
      "/training/shares: the moving baseline compares each loss with the mean loss of the whole batch, so a batch "
      "cannot be divided: expected 1 share, found 2");
}

}  // namespace attend::learner_shares_test
