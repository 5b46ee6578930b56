// SPDX-License-Identifier: Apache-2.0
// Documents that stay open, by handles: a change sends what is another, and a reading gets what is
// another. No error passes: it is an answer.
#include "experiment/sessions/open_documents.h"

#include <emscripten/bind.h>
#include <emscripten/val.h>
#include <string>
#include <utility>
#include <vector>

#include "bindings/packed_answer.h"
#include "experiment/service.h"

EMSCRIPTEN_DECLARE_VAL_TYPE(Float64Array)

namespace {

// The documents that are open, by their handles.
attend::OpenDocuments& documents() {
  static attend::OpenDocuments open;
  return open;
}

// {"handle"}.
std::string open(const std::string& document) {
  return attend::answer(
      [&] { return R"({"handle":)" + std::to_string(documents().open(document)) + "}"; });
}

// `changes`: {pointer: value}. `pointers`: a list of pointers to lists of numbers, whose new numbers
// are in `numbers`, one list after the other.
std::string change(std::size_t handle, const std::string& changes, const std::string& pointers,
                   const Float64Array& numbers) {
  return attend::answer([&] {
    documents()[handle].change(changes, attend::read_names(pointers),
                               emscripten::convertJSArrayToNumberVector<double>(numbers));
    return std::string("{}");
  });
}

// {"share"}: how much is computed; 1: everything is.
std::string step(std::size_t handle, double milliseconds) {
  return attend::answer([&] {
    return R"({"share":)" + std::to_string(documents()[handle].step(milliseconds)) + "}";
  });
}

// `names`: a list such as ["outputs/weights"]; an empty one stands for all.
RunResult read(std::size_t handle, const std::string& names) {
  return packed_answer([&] {
    const std::vector<std::string> list = attend::read_names(names);
    attend::OpenDocument& document = documents()[handle];
    return list.empty() ? document.read() : document.read(list);
  });
}

// What is another since the reading with this number; 0: everything.
RunResult read_since(std::size_t handle, std::size_t last) {
  return packed_answer([&] { return documents()[handle].read(last); });
}

std::string explain_open(std::size_t handle, const std::string& tensor, const std::string& index) {
  return attend::answer(
      [&] { return documents()[handle].explain(tensor, attend::read_cell(index)); });
}

std::string document(std::size_t handle) {
  return attend::answer([&] { return documents()[handle].text(); });
}

std::string close(std::size_t handle) {
  return attend::answer([&] {
    documents().close(handle);
    return std::string("{}");
  });
}

}  // namespace

void watch_open_documents(attend::Progress::Listener listener) {
  documents().watch(std::move(listener));
}

EMSCRIPTEN_BINDINGS(open_documents) {
  emscripten::register_type<Float64Array>("Float64Array");
  emscripten::function("open", &open);
  emscripten::function("change", &change);
  emscripten::function("step", &step);
  emscripten::function("read", &read);
  emscripten::function("readSince", &read_since);
  emscripten::function("explainOpen", &explain_open);
  emscripten::function("document", &document);
  emscripten::function("close", &close);
}
