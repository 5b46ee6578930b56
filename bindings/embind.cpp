// SPDX-License-Identifier: Apache-2.0
// The engine's face in JavaScript: few functions, text in, text out, and one packed array for a
// run. No error passes: it is an answer. What the catalogue says to a reader lies beside the
// module, in catalogue.json. Documents that stay open are in open_documents.cpp.
#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <string>

#include "bindings/given_weights.h"
#include "bindings/given_words.h"
#include "bindings/packed_answer.h"
#include "experiment/files/tensor_file.h"
#include "experiment/learning/answer.h"
#include "experiment/learning/kept.h"
#include "experiment/service.h"
#include "experiment/session.h"

namespace {

// What the last calls computed: a slider's next move needs most of it again.
attend::Session& session() {
  static attend::Session held;
  return held;
}

RunResult run(const std::string& document) {
  return packed_answer([&] { return session().run(document); });
}

// A function of a share between 0 and 1: how far a long run is, called in its midst.
void watch(const emscripten::val& listener) {
  const auto hear = [listener](double share) { listener(share); };
  session().watch(hear);
  watch_open_documents(hear);
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

std::string example(const std::string& id) {
  return attend::answer([&] { return attend::example_text(id); });
}

// What a trained document writes by itself.
std::string written(const std::string& document) {
  return attend::answer([&] { return attend::written_text(document); });
}

// What must be kept to write the next word.
std::string kept(const std::string& document, const std::string& over) {
  return attend::answer([&] { return attend::kept_text(document, over); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_playground) {
  emscripten::register_type<Float32Array>("Float32Array");
  emscripten::register_type<Uint8Array>("Uint8Array");
  emscripten::value_object<RunResult>("RunResult")
      .field("directory", &RunResult::directory)
      .field("data", &RunResult::data);
  emscripten::function("run", &run);
  emscripten::function("watch", &watch);
  emscripten::function("normalise", &normalise);
  emscripten::function("exportCode", &export_code);
  emscripten::function("explain", &explain);
  emscripten::function("example", &example);
  emscripten::function("written", &written);
  emscripten::function("kept", &kept);
  emscripten::function("version", &version);
  emscripten::function("words", &given_words);
  emscripten::function("weights", &given_weights);
  emscripten::function("forgetWeights", &forget_weights);
}
