// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiment/running/packed.h"

namespace attend {

// What stays between the calls of a page: the last documents with their programs and numbers. A
// document that differs from one of them in numbers only (a slider's move) records nothing: the
// numbers go into leaves of the program that is held (take_numbers.cpp, then Workspace::set by the
// Runner), and only what depends on those is computed. One that is refused leaves what is held as
// it was.
class Session {
 public:
  // As the functions of the same names for one document: run_packed, explain_document, ...
  [[nodiscard]] Packed run(std::string_view document);
  // Has the listener hear how far every long run is.
  void watch(Progress::Listener listener) { listener_ = std::move(listener); }
  [[nodiscard]] std::string explain(std::string_view document, const std::string& tensor,
                                    std::string_view index);
  [[nodiscard]] std::string normalise(std::string_view document);
  [[nodiscard]] std::string code(std::string_view document, const std::string& format,
                                 std::string_view heading);

 private:
  // Two: a page may compare its document with another.
  static constexpr std::size_t most_held = 2;

  struct Held {
    std::string text;
    Compiled compiled;
    std::optional<Runner> runner;  // none before the first run
    bool current = false;          // the runner's numbers are the document's
  };

  // What is held of a document, after its numbers were taken over; null when it has to be compiled.
  Held* find(std::string_view text, std::optional<Document>& document);
  // Answers from what is held, or else compiles; only what could answer is held from then on.
  template <class Answer>
  auto with(std::string_view text, Answer answer);

  Progress::Listener listener_;              // none: nobody listens
  std::vector<std::unique_ptr<Held>> held_;  // the one used last comes first
};

}  // namespace attend
