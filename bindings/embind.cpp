// SPDX-License-Identifier: Apache-2.0
// The engine's face in JavaScript: six functions, text in, text out, and one packed array for a
// run. No error passes: it is an answer. What the catalogue says to a reader lies beside the
// module, in catalogue.json.
#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <string>

#include "experiment/packed.h"
#include "experiment/service.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(Float32Array)

namespace {

struct RunResult {
  std::string directory;
  Float32Array data{emscripten::val::null()};
};

// What the last run computed: a slider's next move needs most of it again.
attend::Memo& memo() {
  static attend::Memo last;
  return last;
}

RunResult run(const std::string& document) {
  const attend::Packed packed = attend::answer_packed(document, &memo());
  // The view dies with `packed` and with every growth of the memory: JavaScript gets a copy.
  const emscripten::val view(emscripten::typed_memory_view(packed.data.size(), packed.data.data()));
  return {packed.directory, Float32Array(view.call<emscripten::val>("slice"))};
}

std::string explain(const std::string& document, const std::string& tensor,
                    const std::string& index) {
  return attend::answer([&] { return attend::explain_document(document, tensor, index, &memo()); });
}

std::string version() { return std::string(attend::version()); }

std::string normalise(const std::string& document) {
  return attend::answer([&] { return attend::normalise_document(document); });
}

std::string export_code(const std::string& document, const std::string& format,
                        const std::string& heading) {
  return attend::answer([&] { return attend::code_json(document, format, heading); });
}

std::string example(const std::string& id) {
  return attend::answer([&] { return attend::example_text(id); });
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_playground) {
  emscripten::register_type<Float32Array>("Float32Array");
  emscripten::value_object<RunResult>("RunResult")
      .field("directory", &RunResult::directory)
      .field("data", &RunResult::data);
  emscripten::function("run", &run);
  emscripten::function("normalise", &normalise);
  emscripten::function("exportCode", &export_code);
  emscripten::function("explain", &explain);
  emscripten::function("example", &example);
  emscripten::function("version", &version);
}
