// SPDX-License-Identifier: Apache-2.0
#include "training/task.h"

#include <algorithm>
#include <cstring>

#include "ops/error.h"
#include "ops/near_names.h"
#include "ops/special_words.h"

namespace attend {

std::size_t TaskSettings::count(std::string_view name) const {
  return static_cast<std::size_t>(std::get<double>(values.find(name)->second));
}

const std::string& TaskSettings::text(std::string_view name) const {
  return std::get<std::string>(values.find(name)->second);
}

std::size_t Task::answer() const {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [](const TaskField& f) { return f.answer; });
  return static_cast<std::size_t>(found - fields.begin());
}

bool Task::knows_every_source() const {
  return std::none_of(knobs.begin(), knobs.end(), [](const TaskKnob& knob) { return knob.text; });
}

const Task& task_named(std::string_view id) {
  std::vector<std::string> ids;
  for (const Task* task : all_tasks()) {
    if (task->id == id) return *task;
    ids.emplace_back(task->id);
  }
  refuse("unknown task \"" + std::string(id) + "\"; " +
         names_for(std::string(id), ids, "the tasks are "));
}

std::string key_of(const Task& task, const Example& example) {
  std::string key;
  for (std::size_t k = 0; k < task.fields.size(); ++k) {
    if (k == task.answer()) continue;
    const Filling& filling = example.fields[k];
    const auto add = [&](const void* data, std::size_t bytes) {
      key.append(static_cast<const char*>(data), bytes);
    };
    add(filling.words.data(), filling.words.size() * sizeof(std::uint16_t));
    add(filling.numbers.data(), filling.numbers.size() * sizeof(float));
    key += '|';
  }
  return key;
}

std::vector<std::string> tokens_of(const TaskSource& source, std::size_t field,
                                   const Filling& filling) {
  std::vector<std::string> tokens;
  for (const std::uint16_t word : filling.words) tokens.push_back(source.words(field).at(word));
  return tokens;
}

std::optional<Filling> filling_of(const TaskSource& source, std::size_t field,
                                  const std::vector<std::string>& tokens) {
  const std::vector<std::string>& words = source.words(field);
  Filling filling;
  for (const std::string& token : tokens) {
    const auto found = std::find(words.begin() + unknown_word + 1, words.end(), token);
    if (found == words.end()) return std::nullopt;
    filling.words.push_back(static_cast<std::uint16_t>(found - words.begin()));
  }
  return filling;
}

std::vector<std::string> vocabulary_of(std::vector<std::string> words) {
  words.insert(words.begin(), special_words.begin(), special_words.end());
  return words;
}

}  // namespace attend
