// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "experiment/learning/learner.h"

namespace attend {

struct TrainOptions {
  // How many steps will have been taken at the end; none: those of the document.
  std::optional<std::uint64_t> steps;
  std::uint64_t every = 0;          // a line every so many steps; 0: about twenty lines
  std::optional<std::string> from;  // a checkpoint's bytes; none: from the first weights
  NumberCode code = NumberCode::whole;
  bool ships = false;     // weights alone, in `code`
  bool measures = false;  // no step is taken: one line about what there is
  bool portable = false;  // the same digits on every machine, and slower
  std::function<void(const std::string&)> line;
  std::function<double()> seconds;  // a clock
};

// The document with a reader's own text in its task. Throws Error where the task reads none.
std::string with_text(std::string_view document, const std::string& text);

// What a training leaves: the bytes of what is to be kept, a checkpoint or weights to ship; and whether it ended early
// because its numbers were no numbers any more. Then the bytes are of the last good state.
struct TrainingEnd {
  std::string bytes;
  bool failed = false;
};

// Trains. Throws Error.
TrainingEnd train(std::string_view document, const TrainOptions& options);

// As JSON, for lines and for the page.
Json to_json(const Measures& measures);
Json to_json(const Pinned& pinned);
bool reached(const StopAt& stop, const Measures& measures);

// All tasks, with their fields and settings.
std::string tasks_text();

}  // namespace attend
