// SPDX-License-Identifier: Apache-2.0
// A document with a `training`: what its task puts where.
#include <algorithm>
#include <set>

#include "catalogue/mechanism.h"
#include "catalogue/result.h"
#include "catalogue/words_knob.h"
#include "experiment/answer.h"
#include "experiment/learn_maps.h"
#include "experiment/learn_program.h"
#include "experiment/read_inputs.h"
#include "experiment/read_tensor.h"
#include "ops/error.h"
#include "ops/json_pointer.h"
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

// The record of a module of a model; null where it is none.
const Mechanism* record_of(const Json& module) {
  const Json* type = module.is_object() && module.contains("type") ? &module["type"] : nullptr;
  if (type == nullptr || !type->is_string()) return nullptr;
  return find_mechanism(Kind::structure, type->get<std::string>());
}

// The knob that says how many classes a module tells apart: that of a size along an axis of classes. Null where the
// module, or no such knob, is there.
const Knob* classes_knob_of(const Mechanism* module) {
  if (module == nullptr) return nullptr;
  const auto found = std::find_if(module->knobs.begin(), module->knobs.end(), [](const Knob& knob) {
    return !knob.symbol.empty() && axis_role(knob.symbol) == AxisRole::class_;
  });
  return found == module->knobs.end() ? nullptr : found;
}

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
           "no mechanism of the document makes choices that have no slope, such as hard-sample");
}

// One draw a choice: the score of a mean of draws would be another.
void check_single_draws(const Json& json, const std::string& path) {
  if (!json.is_structured()) return;
  if (const Knob* knob = knob_in(json, Knob::Role::draws)) {
    const std::string name(knob->name);
    if (json.contains(name) && json[name] != 1)
      refuse(path + "/" + name,
             "the moving baseline rewards one draw a choice, found " + describe(json[name]));
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

// The input that feeds a port; a port without a wire reads the input of its own name.
std::string source_of(const Json& module, const std::string& port) {
  const Json* wires =
      module.contains("inputs") && module["inputs"].is_object() ? &module["inputs"] : nullptr;
  if (wires == nullptr || !wires->contains(port)) return port;
  return (*wires)[port].is_string() ? (*wires)[port].get<std::string>() : "";
}

// The input that a module reads words from, of those that the task fills.
std::optional<std::size_t> field_read_by(const Lesson& lesson, const Json& module) {
  const Mechanism* record = record_of(module);
  const Role* words = record == nullptr ? nullptr : role_of_words(*record);
  if (words == nullptr) return std::nullopt;
  return field_of(lesson, source_of(module, std::string(words->name)));
}

// What reads a field's words: the place of a module in the model, the field, and the name of its vocabulary.
struct Reader {
  std::size_t place, field;
  std::string knob;
};

std::vector<Reader> readers(const Lesson& lesson) {
  std::vector<Reader> list;
  const Json* model = member(lesson.document, "model");
  for (std::size_t i = 0; model != nullptr && model->is_array() && i < model->size(); ++i) {
    const auto field = field_read_by(lesson, (*model)[i]);
    const Knob* knob = field ? words_knob_of(*record_of((*model)[i])) : nullptr;
    if (knob != nullptr) list.push_back({i, *field, std::string(knob->name)});
  }
  return list;
}

// Modules that read a field's words know all of them, unless they have a vocabulary.
void give_words(Lesson& lesson) {
  for (const Reader& reader : readers(lesson)) {
    Json& module = lesson.document["model"][reader.place];
    const std::vector<std::string>& words = lesson.source->words(reader.field);
    if (!words.empty() && !module.contains(reader.knob)) module[reader.knob] = words;
  }
}

void check_words(const Lesson& lesson) {
  for (const Reader& reader : readers(lesson)) {
    const Json* own = member(lesson.document["model"][reader.place], reader.knob);
    for (const std::string& word : lesson.source->words(reader.field)) {
      if (own == nullptr || std::find(own->begin(), own->end(), word) != own->end()) continue;
      refuse("/model/" + std::to_string(reader.place) + "/" + reader.knob,
             "it lacks \"" + word + "\", a word of " + std::string(lesson.settings.task->id) +
                 "; leave the vocabulary out, and the module gets that of the task");
    }
  }
}

// A softmax over classes that a loss compares with words has as many classes as there are words.
void give_classes(Lesson& lesson) {
  if (!lesson.document.contains("model") || !lesson.document["model"].is_array()) return;
  Json& model = lesson.document["model"];
  for (const Json& loss : model) {
    const Mechanism* record = record_of(loss);
    const auto ports = record == nullptr ? std::nullopt : ports_of_answers(record->id);
    const Knob* words = ports ? words_knob_of(*record) : nullptr;
    if (words == nullptr || !loss.contains(words->name)) continue;
    const std::string logits = source_of(loss, std::string(ports->logits));
    for (Json& module : model) {
      if (!module.is_object() || module.value("name", Json()) != logits.substr(0, logits.find('.')))
        continue;
      const Knob* classes = classes_knob_of(record_of(module));
      if (classes != nullptr && !module.contains(classes->name))
        module[std::string(classes->name)] = loss[std::string(words->name)].size();
    }
  }
}

// Every field of the task is read by something.
void check_read(const Lesson& lesson, const Compiled& compiled,
                const std::map<NodeId, WordRows>& words) {
  std::set<std::size_t> read;
  for (const auto& [leaf, rows] : words) {
    if (const auto field = field_of(lesson, rows.input)) read.insert(*field);
  }
  for (const Leaf& leaf : compiled.builder().leaves) {
    if (leaf.kind != Leaf::Kind::input) continue;
    if (const auto field = field_of(lesson, leaf.name())) read.insert(*field);
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

// Whether a loss compares as many classes as it has words, and the document says neither how many nor which.
bool lacks_classes(const Lesson& lesson) {
  const Json* model = member(lesson.document, "model");
  if (model == nullptr || !model->is_array()) return false;
  const auto compares = [&](const Json& loss) {
    const Mechanism* record = record_of(loss);
    const auto ports = record == nullptr ? std::nullopt : ports_of_answers(record->id);
    const Knob* words = ports ? words_knob_of(*record) : nullptr;
    if (words == nullptr || loss.contains(words->name)) return false;
    const std::string logits = source_of(loss, std::string(ports->logits));
    return std::any_of(model->begin(), model->end(), [&](const Json& module) {
      const Knob* classes = classes_knob_of(record_of(module));
      return classes != nullptr && !module.contains(classes->name) &&
             module.value("name", Json()) == logits.substr(0, logits.find('.'));
    });
  };
  return std::any_of(model->begin(), model->end(), compares);
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
    lesson.source = opened(lesson.settings);
    give_words(lesson);
    give_classes(lesson);
    give_inputs(lesson);
    return std::move(lesson.document);
  } catch (const Error&) {
    return document;  // a training that cannot be read gives nothing; who reads the document tells why
  }
}

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
  Json first = lesson.document;
  const auto listed = lesson.source->listed();
  const Example like = listed.empty() ? lesson.source->draw(some) : listed.front();
  first["inputs"] = inputs_of(lesson, like);
  const Compiled compiled = compile(read_document(std::move(first)));
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
