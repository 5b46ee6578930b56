// SPDX-License-Identifier: Apache-2.0
// The engine's face in JavaScript: six functions, text in, text out, and one packed array for a
// run. An error leaves by way of refuse.cpp. What the catalogue says to a reader lies beside the
// module, in catalogue.json.
#include <array>
#include <emscripten/bind.h>
#include <emscripten/em_macros.h>
#include <emscripten/val.h>
#include <new>
#include <string>
#include <unistd.h>

#include "experiment/service.h"
#include "experiment/session.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(Float32Array)

// The linker's: where the data and the heap begin and the data ends.
extern "C" char __global_base, __data_end, __heap_base;

// What holds numbers before the first call, as four addresses: the data, and the heap so far.
extern "C" EMSCRIPTEN_KEEPALIVE const void* memory_edge(int which) {
  const std::array<const void*, 4> edges{&__global_base, &__data_end, &__heap_base, sbrk(0)};
  return edges.at(which);
}

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

RunResult run(const std::string& document) {
  const attend::Packed packed = session().run(document);
  // The view dies with `packed` and with every growth of the memory: JavaScript gets a copy.
  const emscripten::val view(emscripten::typed_memory_view(packed.data.size(), packed.data.data()));
  return {packed.directory, Float32Array(view.call<emscripten::val>("slice"))};
}

std::string explain(const std::string& document, const std::string& tensor,
                    const std::string& index) {
  return session().explain(document, tensor, index);
}

std::string version() { return std::string(attend::version()); }

std::string normalise(const std::string& document) { return session().normalise(document); }

std::string export_code(const std::string& document, const std::string& format,
                        const std::string& heading) {
  return session().code(document, format, heading);
}

void no_memory() {
  const attend::Error error = attend::out_of_memory();
  attend::refuse(error.path, error.what());
}

}  // namespace

EMSCRIPTEN_BINDINGS(attention_playground) {
  std::set_new_handler(&no_memory);
  emscripten::register_type<Float32Array>("Float32Array");
  emscripten::value_object<RunResult>("RunResult")
      .field("directory", &RunResult::directory)
      .field("data", &RunResult::data);
  emscripten::function("run", &run);
  emscripten::function("normalise", &normalise);
  emscripten::function("exportCode", &export_code);
  emscripten::function("explain", &explain);
  emscripten::function("example", &attend::example_text);
  emscripten::function("version", &version);
}
