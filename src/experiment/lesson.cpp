// SPDX-License-Identifier: Apache-2.0
// A document with a `training`: what its task puts where.
#include <algorithm>
#include <set>

#include "catalogue/mechanism.h"
#include "experiment/learn_program.h"
#include "ops/error.h"
#include "training/data.h"

namespace attend {
namespace {

// The field that fills an input; nothing for one that the task leaves alone.
std::optional<std::size_t> field_of(const Lesson& lesson, const std::string& input) {
  for (std::size_t k = 0; k < lesson.settings.task->fields.size(); ++k) {
    if (lesson.settings.input_of(k) == input) return k;
  }
  return std::nullopt;
}

std::shared_ptr<const TaskSource> opened(const TrainingSettings& settings) {
  try {
    return settings.task->open(settings.knobs);
  } catch (const Error& error) {
    throw Error("/training/task" + error.path, error.what());
  }
}

// Whether the id is that of a mechanism with such a knob.
bool has_knob(const Json& id, std::string_view name) {
  if (!id.is_string()) return false;
  for (const Mechanism* mechanism : all_mechanisms()) {
    if (id != mechanism->id) continue;
    for (const Knob& knob : mechanism->knobs) {
      if (knob.name == name) return true;
    }
  }
  return false;
}

// Sets the knob wherever a mechanism has it; how often.
int set_everywhere(Json& json, const std::string& knob, const std::string& value) {
  int count = 0;
  if (json.is_object() && json.contains("type") && has_knob(json["type"], knob)) {
    json[knob] = value;
    ++count;
  }
  if (!json.is_structured()) return 0;
  for (Json& part : json) {
    if (has_knob(part, knob)) part = Json{{"type", part}};
    count += set_everywhere(part, knob, value);
  }
  return count;
}

void set_estimator(Json& document, const std::string& value) {
  int count = 0;
  for (const char* part : {"model", "mechanism"}) {
    if (document.contains(part)) count += set_everywhere(document[part], "estimator", value);
  }
  if (count == 0)
    refuse("/training/estimator",
           "no mechanism of the document makes choices that have no slope, such as hard-sample");
}

void check_inputs(const Lesson& lesson) {
  const Json& inputs = lesson.document["inputs"];
  for (std::size_t k = 0; k < lesson.settings.task->fields.size(); ++k) {
    const std::string& name = lesson.settings.input_of(k);
    const TaskField& field = *(lesson.settings.task->fields.begin() + static_cast<long>(k));
    const bool here = inputs.is_object() && inputs.contains(name);
    if (!here || field.numbers || (inputs[name].is_object() && inputs[name].contains("tokens")))
      continue;
    refuse("/inputs/" + pointer_part(name), std::string(lesson.settings.task->id) +
                                                " fills this input with words; expected "
                                                "tokens, found " +
                                                describe(inputs[name]));
  }
}

// Modules that read a field's words know all of them; those that have a vocabulary must.
void give_words(Lesson& lesson, const Compiled& compiled) {
  std::set<std::size_t> read;
  for (const Leaf& leaf : compiled.builder().leaves) {
    if (leaf.kind == Leaf::Kind::input) {
      if (const auto field = field_of(lesson, leaf.name())) read.insert(*field);
    }
    if (leaf.words == nullptr) continue;
    const auto field = field_of(lesson, leaf.words->input);
    if (!field) continue;
    read.insert(*field);
    const std::string name = leaf.key.substr(0, leaf.key.rfind('.'));
    const std::vector<std::string>& words = lesson.source->words(*field);
    if (!lesson.document.contains("model")) continue;
    Json& model = lesson.document["model"];
    for (std::size_t i = 0; i < model.size(); ++i) {
      if (model[i]["name"] != name) continue;
      if (!model[i].contains("vocabulary")) {
        model[i]["vocabulary"] = words;
        continue;
      }
      const Json& own = model[i]["vocabulary"];
      for (const std::string& word : words) {
        if (std::find(own.begin(), own.end(), word) != own.end()) continue;
        refuse("/model/" + std::to_string(i) + "/vocabulary",
               "it lacks \"" + word + "\", a word of " + std::string(lesson.settings.task->id) +
                   "; leave the vocabulary out, and the module gets that of the task");
      }
    }
  }
  for (std::size_t k = 0; k < lesson.settings.task->fields.size(); ++k) {
    if (read.contains(k)) continue;
    const std::string_view field =
        (lesson.settings.task->fields.begin() + static_cast<long>(k))->name;
    refuse("/training/task",
           "nothing in the document reads the input \"" + lesson.settings.input_of(k) +
               "\", which the task fills with its field \"" + std::string(field) +
               "\"; wire it to a module, or name another input in /training/task/inputs");
  }
}

}  // namespace

Json inputs_of(const Lesson& lesson, const Example& example) {
  Json inputs = lesson.document.value("inputs", Json::object());
  for (std::size_t k = 0; k < example.fields.size(); ++k) {
    Json& input = inputs[lesson.settings.input_of(k)];
    const Filling& filling = example.fields[k];
    if (filling.shape.empty()) {
      input["tokens"] = tokens_of(*lesson.source, k, filling);
    } else {
      input = {{"shape", filling.shape}, {"data", filling.numbers}};
    }
  }
  return inputs;
}

Lesson read_lesson(Json document) {
  Lesson lesson;
  if (!document.is_object() || !document.contains("training"))
    refuse("/training", "expected what is to be learned, an object with a task; found nothing");
  lesson.settings = read_training(document["training"]);
  lesson.source = opened(lesson.settings);
  document.erase("examples");
  document.erase("gradient");
  document.erase("outputs");
  lesson.document = std::move(document);
  if (lesson.settings.estimator) set_estimator(lesson.document, *lesson.settings.estimator);
  check_inputs(lesson);
  Draws some(RandomStream(0, "task:first"));
  Json first = lesson.document;
  const auto listed = lesson.source->listed();
  first["inputs"] = inputs_of(lesson, listed.empty() ? lesson.source->draw(some) : listed.front());
  // Weights that are given are checked when all words are known.
  first.erase("parameters");
  for (Json* modules : {first.contains("model") ? &first["model"] : nullptr}) {
    if (modules == nullptr || !modules->is_array()) continue;
    for (Json& module : *modules) {
      if (module.is_object()) module.erase("vocabulary");
    }
  }
  const Compiled compiled = compile(read_document(std::move(first)));
  lesson.seed = compiled.document().seed;
  give_words(lesson, compiled);
  return lesson;
}

}  // namespace attend
