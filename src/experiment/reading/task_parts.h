// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "experiment/reading/lesson.h"

// What a task puts into a document: the words of the modules that read it, and as many classes as there are words.
namespace attend {

// The field that fills an input; nothing for one that the task leaves alone.
std::optional<std::size_t> field_of(const Lesson& lesson, const std::string& input);

// The task with the settings that the document gives it. Throws Error, below /training/task.
std::shared_ptr<const TaskSource> open_task(const TrainingSettings& settings);

// Modules that read a field's words know all of them, unless they have a vocabulary.
void give_words(Lesson& lesson);

// Throws Error where a module's own vocabulary lacks a word of the task.
void check_words(const Lesson& lesson);

// A softmax over classes that a loss compares with words has as many classes as there are words.
void give_classes(Lesson& lesson);

// Whether a loss compares as many classes as it has words, and the document says neither how many nor which.
bool lacks_classes(const Lesson& lesson);

}  // namespace attend
