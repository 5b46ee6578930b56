// SPDX-License-Identifier: Apache-2.0
// Training, as the page's worker sees it: one training an instance, text in, text out, and packed
// arrays for maps and checkpoints. It is a module of its own, fetched where somebody trains, so that
// the first picture does not wait for it and no other document can touch it.
#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <memory>
#include <string>

#include "experiment/service.h"
#include "experiment/train.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(Float32Array)

namespace {

struct PinnedResult {
  std::string directory;
  Float32Array data{emscripten::val::null()};
};

std::unique_ptr<attend::Learner>& held() {
  static std::unique_ptr<attend::Learner> learner;
  return learner;
}

attend::Learner& learner() {
  if (held() == nullptr) attend::refuse("no training was begun; call beginTraining first");
  return *held();
}

// Numbers that JavaScript gets a copy of: the view dies with every growth of the memory.
template <class Number>
emscripten::val copied(const Number* numbers, std::size_t count) {
  return emscripten::val(emscripten::typed_memory_view(count, numbers))
      .call<emscripten::val>("slice");
}

std::string tasks() { return attend::tasks_text(); }

// A document with the member `training`; what was trained before is given up, unless this one is
// refused.
std::string begin_training(const std::string& document) {
  return attend::answer([&] {
    held() = std::make_unique<attend::Learner>(attend::parse_json(document));
    return attend::training_text(*held());
  });
}

// At most `count` steps; fewer after a failure.
std::string train_steps(unsigned count) {
  return attend::answer([&] { return attend::steps_text(learner(), count); });
}

// Over the first `count` of the held-out examples.
std::string measure_training(unsigned count) {
  return attend::answer([&] { return attend::to_json(learner().measure(count)).dump(); });
}

// What the pinned example looks like now; its maps one behind the other.
PinnedResult pinned_example() {
  std::vector<float> numbers;
  const std::string text = attend::answer([&] {
    const attend::Pinned pinned = learner().pinned();
    for (const attend::Pinned::Map& map : pinned.maps)
      numbers.insert(numbers.end(), map.weights.begin(), map.weights.end());
    return attend::to_json(pinned).dump();
  });
  return {text, Float32Array(copied(numbers.data(), numbers.size()))};
}

// The bytes of a checkpoint, or of the weights to ship; empty where no training was begun.
emscripten::val save_training(bool weights_only) {
  std::string bytes;
  (void)attend::answer([&] {
    bytes = attend::write_tensor_file(weights_only ? learner().shipped() : learner().checkpoint(),
                                      attend::NumberCode::whole);
    return std::string("{}");
  });
  return copied(reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
}

// Goes on from a checkpoint. An error changes nothing.
std::string restore_training(const std::string& bytes) {
  return attend::answer([&] {
    learner().restore(attend::read_tensor_file(bytes));
    return attend::training_text(learner());
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(training) {
  emscripten::register_type<Float32Array>("Float32Array");
  emscripten::value_object<PinnedResult>("PinnedResult")
      .field("directory", &PinnedResult::directory)
      .field("data", &PinnedResult::data);
  emscripten::function("tasks", &tasks);
  emscripten::function("beginTraining", &begin_training);
  emscripten::function("trainSteps", &train_steps);
  emscripten::function("measureTraining", &measure_training);
  emscripten::function("pinnedExample", &pinned_example);
  emscripten::function("saveTraining", &save_training);
  emscripten::function("restoreTraining", &restore_training);
}
