// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/task_parts.h"

#include <algorithm>

#include "catalogue/mechanism.h"
#include "catalogue/result.h"
#include "catalogue/words_knob.h"
#include "experiment/reading/answer_ports.h"
#include "experiment/reading/read_tensor.h"
#include "ops/directory.h"
#include "ops/error.h"

namespace attend {
namespace {

// The record of a module of a model; null where it is none.
const Mechanism* record_of(const Json& module) {
  const Json* type = module.is_object() && module.contains("type") ? &module["type"] : nullptr;
  if (type == nullptr || !type->is_string()) return nullptr;
  return find_mechanism(Kind::structure, type->get<std::string>());
}

// The knob that sets the number of classes of a module: that of a size along an axis of classes. Null without a module
// or without such a knob.
const Knob* classes_knob_of(const Mechanism* module) {
  if (module == nullptr) return nullptr;
  const auto found = std::find_if(module->knobs.begin(), module->knobs.end(), [](const Knob& knob) {
    return !knob.symbol.empty() && axis_role(knob.symbol) == AxisRole::class_;
  });
  return found == module->knobs.end() ? nullptr : found;
}

// The input that feeds a port; a port without a wire reads the input of its own name.
std::string source_of(const Json& module, const std::string& port) {
  const Json* wires =
      module.contains("inputs") && module["inputs"].is_object() ? &module["inputs"] : nullptr;
  if (wires == nullptr || !wires->contains(port)) return port;
  return (*wires)[port].is_string() ? (*wires)[port].get<std::string>() : "";
}

bool is_named(const Json& module, std::string_view name) {
  const Json* own = module.is_object() ? member(module, "name") : nullptr;
  return own != nullptr && *own == name;
}

}  // namespace

std::optional<std::size_t> field_of(const Lesson& lesson, const std::string& input) {
  for (std::size_t k = 0; k < lesson.settings.task->fields.size(); ++k) {
    if (lesson.settings.input_of(k) == input) return k;
  }
  return std::nullopt;
}

std::shared_ptr<const TaskSource> open_task(const TrainingSettings& settings) {
  try {
    return settings.task->open(settings.knobs);
  } catch (const Error& error) {
    throw Error("/training/task" + error.path, error.what());
  }
}

namespace {

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

}  // namespace

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
                 "; leave the vocabulary out, so that the task's vocabulary is used");
    }
  }
}

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
      if (!is_named(module, parts_of_source(logits).module)) continue;
      const Knob* classes = classes_knob_of(record_of(module));
      if (classes != nullptr && !module.contains(classes->name))
        module[std::string(classes->name)] = loss[std::string(words->name)].size();
    }
  }
}

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
             is_named(module, parts_of_source(logits).module);
    });
  };
  return std::any_of(model->begin(), model->end(), compares);
}

}  // namespace attend
