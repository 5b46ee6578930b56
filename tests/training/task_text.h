// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iterator>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "training/task.h"

// Tasks and their texts as the cases write them.
namespace attend::testing {

// A task with its default settings but these.
inline std::unique_ptr<TaskSource> opened(const char* id,
                                          const std::map<std::string, TaskValue>& changes = {}) {
  const Task& task = task_named(id);
  TaskSettings settings;
  for (const TaskKnob& knob : task.knobs) settings.values.emplace(knob.name, knob.fallback);
  for (const auto& [name, value] : changes) settings.values.insert_or_assign(name, value);
  return task.open(settings);
}

inline std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  return {std::istream_iterator<std::string>(in), {}};
}

inline std::string joined(const std::vector<std::string>& list) {
  std::string text;
  for (const std::string& word : list) text += (text.empty() ? "" : " ") + word;
  return text;
}

}  // namespace attend::testing
