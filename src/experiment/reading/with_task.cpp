// SPDX-License-Identifier: Apache-2.0
// A document with a `training`: what it lacks, its task gives.
#include "experiment/reading/document.h"
#include "experiment/reading/lesson.h"
#include "experiment/reading/read_inputs.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/reading/task_parts.h"
#include "ops/error.h"

namespace attend {
namespace {

// Whether the document has the input of a field.
bool has_input(const Lesson& lesson, std::size_t field) {
  const Json* inputs = member(lesson.document, "inputs");
  return inputs != nullptr && inputs->is_object() &&
         inputs->contains(lesson.settings.input_of(field));
}

// A document without the inputs that its task fills shows the first example that training holds out; with all but the
// answer it gets the right one, where the task knows it.
void give_inputs(Lesson& lesson) {
  const Task& task = *lesson.settings.task;
  const std::size_t answer = task.answer();
  std::vector<std::vector<std::string>> asked;
  for (std::size_t k = 0; k < task.fields.size(); ++k) {
    if (k == answer) continue;
    if (!has_input(lesson, k)) {
      const Json* seed = member(lesson.document, "seed");
      const DataSet data(task, *lesson.source,
                         seed != nullptr && seed->is_number_unsigned() ? seed->get<std::uint64_t>()
                                                                       : Document().seed,
                         lesson.settings.batch);
      lesson.document["inputs"] = inputs_of(lesson, data.held_out().front());
      return;
    }
    const Json& input = lesson.document["inputs"][lesson.settings.input_of(k)];
    const Json* tokens = input.is_object() ? member(input, "tokens") : nullptr;
    if (tokens == nullptr || !tokens->is_array()) return;
    std::vector<std::string>& words = asked.emplace_back();
    for (const Json& token : *tokens)
      words.push_back(token.is_string() ? token.get<std::string>() : "");
  }
  if (has_input(lesson, answer)) return;
  if (const auto known = lesson.source->answer_to(asked))
    lesson.document["inputs"] = inputs_of(lesson, *known);
}

// Whether the document cannot be run by itself, or takes its weights from a file, which were trained on the task's
// words. One that draws its weights keeps its own words, counted as they appear.
bool lacks_something(const Lesson& lesson) {
  if (const auto given = lesson.document.find("parameters");
      given != lesson.document.end() && given->is_object() && given->contains("from"))
    return true;
  for (std::size_t k = 0; k < lesson.settings.task->fields.size(); ++k)
    if (!has_input(lesson, k)) return true;
  return lacks_classes(lesson);
}

}  // namespace

Json with_task(Json document) {
  const bool reads = document.is_object() && document.contains("training") &&
                     (!document.contains("inputs") || document["inputs"].is_object());
  if (!reads) return document;
  try {
    Lesson lesson;
    lesson.settings = read_training(document["training"]);
    lesson.document = document;
    if (!lacks_something(lesson)) return document;
    lesson.source = open_task(lesson.settings);
    give_words(lesson);
    give_classes(lesson);
    give_inputs(lesson);
    return std::move(lesson.document);
  } catch (const Error&) {
    return document;  // a training that cannot be read gives nothing; reading the document reports why
  }
}

Json inputs_of(const Lesson& lesson, const Example& example) {
  Json inputs = lesson.document.value("inputs", Json::object());
  for (std::size_t k = 0; k < example.fields.size(); ++k)
    fill_input(inputs[lesson.settings.input_of(k)], lesson, k, example.fields[k]);
  return inputs;
}

void fill_input(Json& input, const Lesson& lesson, std::size_t field, const Filling& filling) {
  if (filling.shape.empty()) {
    input["tokens"] = tokens_of(*lesson.source, field, filling);
  } else {
    input = {{"shape", filling.shape}, {"data", filling.numbers}};
  }
}

}  // namespace attend
