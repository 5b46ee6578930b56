// SPDX-License-Identifier: Apache-2.0
// The engine's face in JavaScript: few functions, text in, text out, and one packed array for a
// run. No error passes: it is an answer. What the catalogue says to a reader lies beside the
// module, in catalogue.json.
#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <string>

#include "experiment/service.h"
#include "experiment/session.h"
#include "experiment/tensor_file.h"
#include "experiment/train.h"
#include "experiment/training_sessions.h"
#include "experiment/word_vectors.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(Float32Array)
EMSCRIPTEN_DECLARE_VAL_TYPE(Uint8Array)

namespace {

struct RunResult {
  std::string directory;
  Float32Array data{emscripten::val::null()};
};

// What the last calls computed: a slider's next move needs most of it again.
attend::Session& session() {
  static attend::Session held;
  return held;
}

template <class Work>
RunResult packed_answer(Work work) {
  attend::Packed packed;
  const auto refused = attend::refusal_of([&] { packed = work(); });
  if (refused) packed = attend::refused_packed(*refused);
  // The view dies with `packed` and with every growth of the memory: JavaScript gets a copy.
  const emscripten::val view(emscripten::typed_memory_view(packed.data.size(), packed.data.data()));
  return {packed.directory, Float32Array(view.call<emscripten::val>("slice"))};
}

RunResult run(const std::string& document) {
  return packed_answer([&] { return session().run(document); });
}

std::string explain(const std::string& document, const std::string& tensor,
                    const std::string& index) {
  return attend::answer([&] { return session().explain(document, tensor, index); });
}

std::string version() { return std::string(attend::version()); }

std::string normalise(const std::string& document) {
  return attend::answer([&] { return session().normalise(document); });
}

std::string export_code(const std::string& document, const std::string& format,
                        const std::string& heading) {
  return attend::answer([&] { return session().code(document, format, heading); });
}

// The bytes of a file of word vectors, before a run that needs them. Nothing to answer, or an
// error.
std::string words(const std::string& file) {
  return attend::answer([&] {
    attend::give_word_vectors(file);
    return std::string("{}");
  });
}

std::string example(const std::string& id) {
  return attend::answer([&] { return attend::example_text(id); });
}

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

std::string train_measure(int session, int count) {
  return attend::answer([&] { return trainings().measure(session, count); });
}

RunResult train_pinned(int session) {
  return packed_answer([&] { return trainings().pinned(session); });
}

struct SaveResult {
  std::string directory;
  Uint8Array data{emscripten::val::null()};
};

SaveResult train_save(int session, const std::string& what) {
  std::string bytes;
  const std::string answer = attend::answer([&] {
    bytes = trainings().save(session, what);
    return std::string("{}");
  });
  const emscripten::val view(emscripten::typed_memory_view(
      bytes.size(), reinterpret_cast<const std::uint8_t*>(bytes.data())));
  return {answer, Uint8Array(view.call<emscripten::val>("slice"))};
}

std::string train_restore(int session, const std::string& checkpoint) {
  return attend::answer([&] { return trainings().restore(session, checkpoint); });
}

void train_close(int session) { trainings().close(session); }

// The bytes of a file of weights, before a document whose parameters come from it.
std::string weights(const std::string& name, const std::string& file) {
  return attend::answer([&] {
    attend::give_parameters(name, file);
    return std::string("{}");
  });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_playground) {
  emscripten::register_type<Float32Array>("Float32Array");
  emscripten::register_type<Uint8Array>("Uint8Array");
  emscripten::value_object<SaveResult>("SaveResult")
      .field("directory", &SaveResult::directory)
      .field("data", &SaveResult::data);
  emscripten::value_object<RunResult>("RunResult")
      .field("directory", &RunResult::directory)
      .field("data", &RunResult::data);
  emscripten::function("run", &run);
  emscripten::function("normalise", &normalise);
  emscripten::function("exportCode", &export_code);
  emscripten::function("explain", &explain);
  emscripten::function("example", &example);
  emscripten::function("version", &version);
  emscripten::function("words", &words);
  emscripten::function("weights", &weights);
  emscripten::function("tasks", &tasks);
  emscripten::function("trainOpen", &train_open);
  emscripten::function("trainStep", &train_step);
  emscripten::function("trainMeasure", &train_measure);
  emscripten::function("trainPinned", &train_pinned);
  emscripten::function("trainSave", &train_save);
  emscripten::function("trainRestore", &train_restore);
  emscripten::function("trainClose", &train_close);
}
