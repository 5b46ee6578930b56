// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/training_sessions.h"

#include <algorithm>
#include <chrono>

#include "experiment/learning/evaluate_learner.h"
#include "experiment/learning/train.h"

namespace attend {
namespace {

using SessionClock = std::chrono::steady_clock;

// An answer with its numbers: where each list begins in the packed array, and how long it is.
class Answer {
 public:
  explicit Answer(Json json) : json_(std::move(json)) { json_["ok"] = true; }

  template <class Numbers>
  void add(const std::string& name, const Numbers& numbers) {
    json_["lists"][name] = {packed_.data.size(), numbers.size()};
    for (const auto x : numbers) packed_.data.push_back(static_cast<real>(x));
  }
  Packed done() {
    packed_.directory = json_.dump(-1, ' ', false, Json::error_handler_t::replace);
    return std::move(packed_);
  }

 private:
  Json json_;
  Packed packed_;
};

}  // namespace

Learner& TrainingSessions::at(int session) {
  const auto found = sessions_.find(session);
  if (found == sessions_.end())
    refuse("", "there is no training session " + std::to_string(session) + "; open one first");
  return *found->second;
}

std::string TrainingSessions::open(std::string_view document, std::string_view checkpoint) {
  if (sessions_.size() >= most_sessions)
    refuse("", std::to_string(most_sessions) + " training runs are open; close one first");
  auto learner = std::make_unique<Learner>(parse_json(document));
  if (!checkpoint.empty()) learner->restore(read_tensor_file(checkpoint));
  Json answer{{"session", next_},
              {"task", std::string(learner->lesson().settings.task->id)},
              {"learnsFrom", learner->learns_from()},
              {"step", learner->steps_taken()},
              {"steps", learner->lesson().settings.steps},
              {"weights", learner->weights()},
              {"heldOut", learner->held_out().size()},
              {"document", learner->lesson().document}};
  if (learner->shares() > 1)
    answer["shares"] = {{"count", learner->shares()}, {"size", learner->share_size()}};
  sessions_[next_++] = std::move(learner);
  return answer.dump();
}

Packed TrainingSessions::step(int session, int steps, double milliseconds,
                              const Together& together) {
  Learner& learner = at(session);
  const auto start = SessionClock::now();
  std::vector<double> loss, norm, rate;
  std::string failure;
  for (int i = 0; i < std::max(steps, 1); ++i) {
    const double spent =
        std::chrono::duration<double, std::milli>(SessionClock::now() - start).count();
    if (i > 0 && spent >= milliseconds) break;
    const StepReport report = learner.step(together);
    failure = report.failure;
    if (!failure.empty() || !report.taken) break;
    loss.push_back(report.loss);
    norm.push_back(report.gradient_norm);
    rate.push_back(report.rate);
  }
  Json json{{"step", learner.steps_taken()}, {"taken", loss.size()}};
  if (!failure.empty()) json["failure"] = failure;
  Answer answer(std::move(json));
  answer.add("loss", loss);
  answer.add("gradientNorm", norm);
  answer.add("rate", rate);
  return answer.done();
}

std::string TrainingSessions::measure(int session, int count) {
  Learner& learner = at(session);
  const Measures measures = learner.measure(static_cast<std::size_t>(std::max(count, 1)));
  Json json = to_json(measures);
  json["step"] = learner.steps_taken();
  json["reached"] = reached(learner.lesson().settings.stop, measures);
  return json.dump();
}

std::string TrainingSessions::evaluate(int session, std::string_view request) {
  return evaluate_learner(at(session), parse_json(request))
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

Packed TrainingSessions::pinned(int session) {
  Learner& learner = at(session);
  const Pinned pinned = learner.pinned();
  Json json = to_json(pinned);
  json["step"] = learner.steps_taken();
  Answer answer(std::move(json));
  answer.add("chance", pinned.chance);
  if (!pinned.image.numbers.empty()) answer.add("image", pinned.image.numbers);
  for (const Pinned::Map& map : pinned.maps) answer.add(map.name, map.weights);
  return answer.done();
}

std::string TrainingSessions::examples(int session, int count) {
  Learner& learner = at(session);
  Json list = Json::array();
  for (const Learner::Seen& seen : learner.seen(static_cast<std::size_t>(std::max(count, 1)))) {
    Json one{{"truth", seen.truth}, {"written", seen.written}, {"asked", Json::array()}};
    for (const auto& [field, words] : seen.asked)
      one["asked"].push_back({std::string(field), words});
    list.push_back(std::move(one));
  }
  return Json{{"step", learner.steps_taken()}, {"examples", std::move(list)}}.dump(
      -1, ' ', false, Json::error_handler_t::replace);
}

std::string TrainingSessions::save(int session, std::string_view what) {
  const Learner& learner = at(session);
  if (what == "checkpoint") return write_tensor_file(learner.checkpoint(), NumberCode::whole);
  if (what == "float") return write_tensor_file(learner.shipped(), NumberCode::single);
  if (what == "half") return write_tensor_file(learner.shipped(), NumberCode::half);
  if (what == "bytes") return write_tensor_file(learner.shipped(), NumberCode::bytes);
  refuse("", "expected checkpoint, float, half or bytes, found \"" + std::string(what) + "\"");
}

std::string TrainingSessions::restore(int session, std::string_view checkpoint) {
  Learner& learner = at(session);
  learner.restore(read_tensor_file(checkpoint));
  return Json{{"step", learner.steps_taken()}}.dump();
}

std::string TrainingSessions::take(int session, std::string_view weights) {
  const Learner::Taken taken = at(session).take(read_tensor_file(weights));
  return Json{{"taken", taken.taken}, {"own", taken.own}, {"left", taken.left}}.dump();
}

}  // namespace attend
