// SPDX-License-Identifier: Apache-2.0
// Training, as the page's worker sees it (docs/training.md): text in, text out, packed arrays for
// lists, maps and checkpoints. It is a module of its own, fetched where somebody trains, so that the
// first picture does not wait for it and no other document can touch it.
#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <string>

#include "bindings/given_weights.h"
#include "bindings/given_words.h"
#include "bindings/packed_answer.h"
#include "experiment/exporting/modules.h"
#include "experiment/files/tensor_file.h"
#include "experiment/learning/train.h"
#include "experiment/learning/training_sessions.h"
#include "experiment/service.h"

namespace {

// Training, by the number of a session: docs/training.md.
attend::TrainingSessions& trainings() {
  static attend::TrainingSessions open;
  return open;
}

std::string tasks() {
  return attend::answer([] { return attend::tasks_text(); });
}

std::string train_open(const std::string& document, const std::string& checkpoint) {
  return attend::answer([&] { return trainings().open(document, checkpoint); });
}

RunResult train_step(int session, int steps, double milliseconds) {
  return packed_answer([&] { return trainings().step(session, steps, milliseconds); });
}

// Steps that several workers take together. `meet` gets the numbers of all shares, one share after another, and how
// many each has: it hands on this worker's shares, writes those of the others, and returns whether they came.
RunResult train_step_together(int session, int steps, double milliseconds, int worker, int workers,
                              const emscripten::val& meet) {
  const attend::Together together{
      static_cast<std::size_t>(worker), static_cast<std::size_t>(workers),
      [&](std::span<attend::real> all, std::size_t each) {
        return meet(emscripten::val(emscripten::typed_memory_view(all.size(), all.data())), each)
            .as<bool>();
      }};
  return packed_answer([&] { return trainings().step(session, steps, milliseconds, together); });
}

std::string train_measure(int session, int count) {
  return attend::answer([&] { return trainings().measure(session, count); });
}

std::string train_evaluate(int session, const std::string& request) {
  return attend::answer([&] { return trainings().evaluate(session, request); });
}

RunResult train_pinned(int session) {
  return packed_answer([&] { return trainings().pinned(session); });
}

std::string train_examples(int session, int count) {
  return attend::answer([&] { return trainings().examples(session, count); });
}

struct SaveResult {
  std::string directory;
  emscripten::val data = emscripten::val::null();
};

emscripten::val copied(const std::string& bytes) {
  const emscripten::val view(emscripten::typed_memory_view(
      bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data())));
  return view.call<emscripten::val>("slice");
}

SaveResult train_save(int session, const std::string& what) {
  std::string bytes;
  const std::string answer = attend::answer([&] {
    bytes = trainings().save(session, what);
    return std::string("{}");
  });
  return {answer, copied(bytes)};
}

std::string train_restore(int session, const std::string& checkpoint) {
  return attend::answer([&] { return trainings().restore(session, checkpoint); });
}

std::string train_take(int session, const std::string& weights) {
  return attend::answer([&] { return trainings().take(session, weights); });
}

// The document as code that grows: a module in "pytorch" or "numpy" with its weights as a file, or for "train" the
// script that trains it.
SaveResult module_code(const std::string& document, const std::string& form,
                       const std::string& headings) {
  attend::ExportedModule made;
  const std::string answer = attend::answer([&] {
    made = attend::export_form(document, form, attend::given_headings(headings));
    return attend::code_text(made.code);
  });
  return {answer, copied(made.weights)};
}

void train_close(int session) { trainings().close(session); }

}  // namespace

EMSCRIPTEN_BINDINGS(training) {
  emscripten::register_type<Float32Array>("Float32Array");
  emscripten::register_type<Uint8Array>("Uint8Array");
  emscripten::value_object<RunResult>("RunResult")
      .field("directory", &RunResult::directory)
      .field("data", &RunResult::data);
  emscripten::value_object<SaveResult>("SaveResult")
      .field("directory", &SaveResult::directory)
      .field("data", &SaveResult::data);
  emscripten::function("tasks", &tasks);
  emscripten::function("trainOpen", &train_open);
  emscripten::function("trainStep", &train_step);
  emscripten::function("trainStepTogether", &train_step_together);
  emscripten::function("trainMeasure", &train_measure);
  emscripten::function("trainEvaluate", &train_evaluate);
  emscripten::function("trainPinned", &train_pinned);
  emscripten::function("trainExamples", &train_examples);
  emscripten::function("trainSave", &train_save);
  emscripten::function("trainRestore", &train_restore);
  emscripten::function("trainTake", &train_take);
  emscripten::function("trainClose", &train_close);
  emscripten::function("moduleCode", &module_code);
  emscripten::function("words", &given_words);
  emscripten::function("weights", &given_weights);
}
