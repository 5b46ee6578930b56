// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "experiment/exporting/longer_inputs.h"
#include "experiment/recording/compile.h"

namespace attend {

// A document recorded for a batch, with inputs of other lengths than it gives.
struct SizedRecording {
  std::unique_ptr<Compiled> compiled;  // of one example
  Program program;                     // batched
  std::vector<std::size_t> sizes;      // the batch, and then the length of each symbol
};

// A document with everything settled that a module of it keeps, ready to be recorded at any lengths.
class RecordableDocument {
 public:
  // Throws Error where the document is refused as it is.
  explicit RecordableDocument(Json document);

  [[nodiscard]] const Json& json() const { return document_; }
  [[nodiscard]] double dropout() const { return dropout_; }

  // Throws Error where the document is refused with these lengths.
  [[nodiscard]] std::unique_ptr<Compiled> compiled_at(const Lengths& lengths) const;
  // `sizes`: the batch, and then the lengths.
  [[nodiscard]] SizedRecording recorded(const Lengths& lengths,
                                        const std::vector<std::size_t>& sizes) const;
  // What the document says to these lengths, or which of its defaults they move; empty where it can be compiled with
  // the numbers that it has.
  [[nodiscard]] std::string refusal_at(const Lengths& lengths) const;
  // Throws Error where an input's words decide which steps are taken, as sentences and repeated words do: a module
  // would serve this one text only.
  void check_words();

 private:
  Json settled(Json document);
  [[nodiscard]] std::string logits_of(const Compiled& compiled) const;
  [[nodiscard]] std::string default_moved_by(const Lengths& lengths) const;

  double dropout_ = 0;
  std::string answer_;
  Json unsettled_;  // without the defaults, which `document_` has as numbers
  Json document_;
};

}  // namespace attend
