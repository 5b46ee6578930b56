// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/read_lesson.h"

#include <algorithm>
#include <set>

#include "catalogue/mechanism.h"
#include "experiment/learning/learn_maps.h"
#include "experiment/reading/read_inputs.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/reading/task_parts.h"
#include "experiment/recording/compile.h"
#include "ops/error.h"
#include "ops/json_pointer.h"
#include "training/data.h"

namespace attend {
namespace {

// The knob of a role that a mechanism of this id has, of whatever kind; null where none has one.
const Knob* knob_behind(const Json& id, Knob::Role role) {
  if (!id.is_string()) return nullptr;
  for (const Mechanism* mechanism : all_mechanisms()) {
    const Knob* knob = id == mechanism->id ? knob_of(*mechanism, role) : nullptr;
    if (knob != nullptr) return knob;
  }
  return nullptr;
}

// The knob of a role of the mechanism that an object of a document chooses.
const Knob* knob_in(const Json& json, Knob::Role role) {
  return json.is_object() && json.contains("type") ? knob_behind(json["type"], role) : nullptr;
}

int set_everywhere(Json& json, Knob::Role role, const std::string& value);

// Of a member of a module, or an item of a list: an id alone is a slot with defaults.
int set_in_part(Json& part, Knob::Role role, const std::string& value) {
  if (knob_behind(part, role) != nullptr) part = Json{{"type", part}};
  return set_everywhere(part, role, value);
}

// Sets the knob wherever a mechanism has it; how often.
int set_everywhere(Json& json, Knob::Role role, const std::string& value) {
  int count = 0;
  if (const Knob* knob = knob_in(json, role)) {
    json[std::string(knob->name)] = value;
    ++count;
  }
  if (!json.is_structured()) return 0;
  if (json.is_array()) {
    for (Json& part : json) count += set_in_part(part, role, value);
    return count;
  }
  for (const auto& [name, part] : json.items()) {
    if (name != "name" && name != "inputs" && name != "type")
      count += set_in_part(part, role, value);
  }
  return count;
}

void set_estimator(Json& document, const std::string& value) {
  int count = 0;
  for (const char* part : {"model", "mechanism"}) {
    if (document.contains(part))
      count += set_everywhere(document[part], Knob::Role::estimator, value);
  }
  if (count == 0)
    refuse("/training/estimator",
           "no mechanism of the document makes choices without a gradient, as hard-sample does");
}

// One draw a choice: the score of a mean of draws would be another.
void check_single_draws(const Json& json, const std::string& path) {
  if (!json.is_structured()) return;
  if (const Knob* knob = knob_in(json, Knob::Role::draws)) {
    const std::string name(knob->name);
    if (json.contains(name) && json[name] != 1)
      refuse(path + "/" + name, "the moving baseline needs exactly one draw per choice, found " +
                                    describe(json[name]));
  }
  for (const auto& [name, part] : json.items())
    check_single_draws(part, path + "/" + as_pointer_part(name));
}

// What the document itself puts into an input that the task fills with words.
void check_words(const Json& input, const std::string& path, const TrainingSettings& settings) {
  const Json* tokens = input.is_object() ? member(input, "tokens") : nullptr;
  if (tokens == nullptr)
    refuse(path, std::string(settings.task->id) +
                     " fills this input with words; expected tokens, found " + describe(input));
  (void)read_texts(*tokens, path + "/tokens");
}

// The same of an input that the task fills with numbers. What holds none is filled all the same.
void check_numbers(const Json& input, const std::string& path) {
  if (!input.is_object() || !input.contains("data")) return;
  Json numbers = input;
  numbers.erase("labels");
  (void)read_tensor(numbers, path);
}

// The document's own inputs are the example that is pinned, as far as the task fills them; a document may leave out
// any of them, or all. The inputs that no task fills are read with the document.
void check_inputs(Lesson& lesson) {
  if (!lesson.document.contains("inputs")) lesson.document["inputs"] = Json::object();
  const Json& inputs = lesson.document["inputs"];
  check_is_inputs(inputs, "/inputs");
  for (std::size_t k = 0; k < lesson.settings.task->fields.size(); ++k) {
    const std::string& name = lesson.settings.input_of(k);
    const TaskField& field = *(lesson.settings.task->fields.begin() + static_cast<long>(k));
    const Json* input = member(inputs, name);
    if (input == nullptr) continue;
    const std::string path = "/inputs/" + as_pointer_part(name);
    if (field.numbers)
      check_numbers(*input, path);
    else
      check_words(*input, path, lesson.settings);
  }
}

[[noreturn]] void refuse_unread(const Lesson& lesson, std::size_t field) {
  const std::string name((lesson.settings.task->fields.begin() + static_cast<long>(field))->name);
  const std::string own = "/training/task/inputs/" + as_pointer_part(name);
  const bool named = lesson.document.contains(Json::json_pointer(own));
  refuse(named ? own : "/training/task",
         "nothing in the document reads the input \"" + lesson.settings.input_of(field) +
             "\", which the task fills with its field \"" + name +
             "\"; wire it to a module, or name another input in /training/task/inputs");
}

void add_ports(const Choice& choice, std::set<std::string, std::less<>>& names) {
  for (const Role& role : choice.mechanism->roles) names.emplace(role.name);
  for (const auto& [slot, choices] : choice.slots)
    for (const Choice& inner : choices) add_ports(inner, names);
}

// Every field of the task fills an input that a wire names, or that has the name of a port. A document that fails
// because of such an input fails somewhere else, at an input of another shape.
void check_wired(const Lesson& lesson, const std::vector<ModuleUse>& modules) {
  std::set<std::string, std::less<>> named;
  for (const ModuleUse& module : modules) {
    add_ports(module.choice, named);
    for (const auto& [port, source] : module.wires) named.insert(source);
  }
  for (std::size_t k = 0; k < lesson.settings.task->fields.size(); ++k)
    if (!named.contains(lesson.settings.input_of(k))) refuse_unread(lesson, k);
}

// The document with an example's inputs.
Compiled compiled_with(const Lesson& lesson, const Example& example) {
  Json json = lesson.document;
  json["inputs"] = inputs_of(lesson, example);
  Document document = read_document(std::move(json));
  const std::vector<ModuleUse> modules = document.modules;
  try {
    return compile(std::move(document));
  } catch (const Error&) {
    check_wired(lesson, modules);
    throw;
  }
}

// Every field of the task is read by something.
void check_read(const Lesson& lesson, const Compiled& compiled,
                const std::map<NodeId, WordRows>& words) {
  std::set<std::size_t> read;
  for (const auto& [leaf, rows] : words) {
    if (const auto field = field_of(lesson, rows.input)) read.insert(*field);
  }
  for (const Leaf& leaf : compiled.leaves()) {
    if (leaf.kind != Leaf::Kind::input) continue;
    if (const auto field = field_of(lesson, leaf.name())) read.insert(*field);
  }
  for (std::size_t k = 0; k < lesson.settings.task->fields.size(); ++k) {
    if (!read.contains(k)) refuse_unread(lesson, k);
  }
}

}  // namespace

Lesson read_lesson(Json document) {
  Lesson lesson;
  if (!document.is_object() || !document.contains("training"))
    refuse("/training", "expected an object with the task to learn, found nothing");
  lesson.settings = read_training(document["training"]);
  lesson.source = open_task(lesson.settings);
  document.erase("examples");
  document.erase("gradient");
  document.erase("outputs");
  lesson.document = std::move(document);
  if (lesson.settings.rewarded()) {
    set_estimator(lesson.document, "none");
    for (const char* part : {"model", "mechanism"}) {
      if (lesson.document.contains(part))
        check_single_draws(lesson.document[part], std::string("/") + part);
    }
  } else if (lesson.settings.estimator) {
    set_estimator(lesson.document, *lesson.settings.estimator);
  }
  check_inputs(lesson);
  check_words(lesson);
  give_words(lesson);
  give_classes(lesson);
  Draws some(RandomStream(0, "task:first"));
  const auto listed = lesson.source->listed();
  const Example like = listed.empty() ? lesson.source->draw(some) : listed.front();
  const Compiled compiled = compiled_with(lesson, like);
  lesson.seed = compiled.document().seed;
  check_read(lesson, compiled, compiled.words());
  lesson.maps = maps_of(lesson, like, compiled);
  if (lesson.settings.rewarded()) {
    lesson.scored = lesson.document;
    set_estimator(*lesson.scored, "reinforce");
  }
  return lesson;
}

}  // namespace attend
