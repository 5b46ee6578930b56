// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <string>

#include "experiment/running/packed.h"
#include "experiment/text/refusal.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(Float32Array)

// A directory with its numbers, as JavaScript gets it.
struct RunResult {
  std::string directory;
  Float32Array data{emscripten::val::null()};
};

// The numbers of an answer, or of its refusal.
template <class Work>
RunResult packed_answer(Work work) {
  attend::Packed packed;
  const auto refused = attend::refusal_of([&] { packed = work(); });
  if (refused) packed = attend::refused_packed(*refused);
  // The view dies with `packed` and with every growth of the memory: JavaScript gets a copy.
  const emscripten::val view(emscripten::typed_memory_view(packed.data.size(), packed.data.data()));
  return {packed.directory, Float32Array(view.call<emscripten::val>("slice"))};
}

// Has the listener hear how far every long evaluation of the documents is that are opened from now on.
void watch_open_documents(attend::Progress::Listener listener);
