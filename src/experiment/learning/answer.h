// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/reading/answer_ports.h"
#include "experiment/recording/compile.h"
#include "training/task.h"

namespace attend {

// Where a document answers in words: logits that a loss compares with the tokens of an input.
struct AnswerPlace {
  Record logits = {};                     // [rows classes]
  NodeId node = 0;                        // that holds them in the recorded program
  std::string input;                      // whose tokens are the answer
  std::vector<std::string> classes = {};  // the word of each class
  bool reads = false;  // each row is computed from the words of the answer before it
};

// The first such place whose input is the right one.
std::optional<AnswerPlace> find_answer(const Compiled& compiled,
                                       const std::function<bool(const std::string&)>& is_right);

// The kinds of sources that a task makes, each with a source like it.
Json forms_of(const Task& task);

// What a document writes by itself: where its model reads the words before, one word after the
// other, the likeliest each time, up to <end>; else the likeliest word of each row. As JSON:
// {"input", "tokens", "ended"}. Where the document's task knows every source that it makes, "task" holds its id, the
// kinds of sources ("forms") and the right answer ("right"), which is null for a source that the task never makes.
// Throws Error when the document answers nothing in words. At most `most` words are written.
std::string written_text(std::string_view text, std::size_t most = 64);

}  // namespace attend
