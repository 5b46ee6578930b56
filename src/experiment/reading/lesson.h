// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiment/reading/training_settings.h"
#include "training/data.h"

namespace attend {

// A document that learns, and where its examples come from.
struct Lesson {
  Json document;  // with the vocabularies of its task
  TrainingSettings settings;
  std::shared_ptr<const TaskSource> source;
  std::uint64_t seed = 0;
  std::vector<std::string> maps =
      {};  // of weights, by name: those that are compared with the truth
  // With choices whose weights have the slope of the choice's log chance; for the moving baseline.
  std::optional<Json> scored = {};
};

// A document with a `training` that lacks inputs, or the number of classes that it compares with words, with what its
// task gives: inputs, the words of modules that read them, as many classes as words. Any other document as it is.
Json with_task(Json document);

// What an example looks like as a document's inputs; the document's other inputs do not change.
Json inputs_of(const Lesson& lesson, const Example& example);
// Writes one field of it into its input.
void fill_input(Json& input, const Lesson& lesson, std::size_t field, const Filling& filling);

}  // namespace attend
