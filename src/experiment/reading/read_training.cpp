// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "experiment/reading/read_tensor.h"
#include "experiment/reading/training_settings.h"
#include "ops/error.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

const std::string base = "/training";

struct Range {
  double least, most;
  bool above = false;  // `least` itself is not allowed
  bool whole = false;
};

double number_in(const Json& json, const std::string& path, const Range& range) {
  const bool flag = json.is_boolean() && range.whole && range.most == 1;
  const double value = flag               ? (json.get<bool>() ? 1 : 0)
                       : json.is_number() ? json.get<double>()
                                          : std::nan("");
  const bool fits = (range.above ? value > range.least : value >= range.least) &&
                    value <= range.most && (!range.whole || value == std::floor(value));
  if (fits) return value;
  refuse(path, std::string("expected ") + (range.whole ? "a whole number" : "a number") +
                   (range.above ? " above " : " from ") + describe(range.least) +
                   (range.above ? " and at most " : " to ") + describe(range.most) + ", found " +
                   describe(json));
}

void take(const Json& object, const char* name, const std::string& path, const Range& range,
          double& into) {
  if (const Json* given = member(object, name)) into = number_in(*given, path + "/" + name, range);
}

constexpr Range whole_share{0, 1};
constexpr Range partial_share{0, 0.99};

std::string type_of(const Json& json, const std::string& path) {
  const Json* type = json.is_object() ? member(json, "type") : &json;
  if (type == nullptr || !type->is_string())
    refuse(path + (json.is_object() ? "/type" : ""),
           "expected an id, found " + (type == nullptr ? "nothing" : describe(*type)));
  return type->get<std::string>();
}

void read_task(const Json& json, TrainingSettings& settings) {
  const std::string path = base + "/task";
  const std::string id = type_of(json, path);
  {
    const std::string at = json.is_object() ? path + "/type" : path;
    const ErrorScope scope(at, "");
    settings.task = &task_named(id);
  }
  std::vector<std::string_view> allowed{"type", "inputs"};
  for (const TaskKnob& knob : settings.task->knobs) {
    allowed.push_back(knob.name);
    if (knob.text)
      settings.knobs.values.emplace(knob.name, std::string());
    else
      settings.knobs.values.emplace(knob.name, knob.fallback);
  }
  if (!json.is_object()) return;
  check_members(json, path, allowed);
  for (const TaskKnob& knob : settings.task->knobs) {
    const Json* given = member(json, knob.name);
    if (given == nullptr) continue;
    const std::string here = path + "/" + std::string(knob.name);
    if (knob.text) {
      if (!given->is_string()) refuse(here, "expected a text, found " + describe(*given));
      settings.knobs.values.insert_or_assign(std::string(knob.name), given->get<std::string>());
    } else {
      settings.knobs.values.insert_or_assign(
          std::string(knob.name),
          number_in(*given, here, {knob.least, knob.most, false, knob.whole}));
    }
  }
  const Json* inputs = member(json, "inputs");
  if (inputs == nullptr) return;
  if (!inputs->is_object())
    refuse(path + "/inputs",
           "expected an object that gives an input for each field, found " + describe(*inputs));
  for (const auto& [field, input] : inputs->items()) {
    const std::string here = path + "/inputs/" + as_pointer_part(field);
    std::string list;
    bool known = false;
    for (const TaskField& one : settings.task->fields) {
      known = known || one.name == field;
      list += (list.empty() ? "" : ", ") + std::string(one.name);
    }
    if (!known) refuse(here, id + " has no field \"" + field + "\"; it has " + list);
    if (!input.is_string()) refuse(here, "expected the name of an input, found " + describe(input));
    settings.inputs[field] = input.get<std::string>();
  }
}

void read_optimiser(const Json& json, OptimiserSettings& o) {
  const std::string path = base + "/optimiser";
  const std::string type = type_of(json, path);
  using Kind = OptimiserSettings::Kind;
  if (type != "sgd" && type != "adam" && type != "adamw")
    refuse(json.is_object() ? path + "/type" : path,
           "unknown optimiser \"" + type + "\"; known: sgd, adam, adamw");
  o.kind = type == "sgd" ? Kind::sgd : type == "adam" ? Kind::adam : Kind::adamw;
  o.rate = o.kind == Kind::sgd ? 0.1 : 0.001;
  if (o.kind == Kind::adamw) o.weight_decay = 0.01;
  if (!json.is_object()) return;
  if (o.kind == Kind::sgd)
    check_members(json, path, {"type", "rate", "momentum", "nesterov", "weight-decay"});
  else
    check_members(json, path, {"type", "rate", "beta1", "beta2", "eps", "weight-decay"});
  take(json, "rate", path, {0, 1000, true}, o.rate);
  take(json, "momentum", path, partial_share, o.momentum);
  take(json, "beta1", path, {0, 0.9999999}, o.beta1);
  take(json, "beta2", path, {0, 0.9999999}, o.beta2);
  take(json, "eps", path, {0, 1, true}, o.eps);
  take(json, "weight-decay", path, {0, 10}, o.weight_decay);
  if (const Json* nesterov = member(json, "nesterov"))
    o.nesterov = number_in(*nesterov, path + "/nesterov", {0, 1, false, true}) != 0;
  if (o.nesterov && o.momentum == 0)
    refuse(path + "/nesterov",
           "Nesterov looks ahead along the momentum, which is 0; set a momentum above 0");
}

void read_schedule(const Json& json, Schedule& s) {
  const std::string path = base + "/schedule";
  const std::string type =
      json.is_object() && !json.contains("type") ? "constant" : type_of(json, path);
  using Kind = Schedule::Kind;
  if (type == "constant")
    s.kind = Kind::constant;
  else if (type == "linear")
    s.kind = Kind::linear;
  else if (type == "cosine")
    s.kind = Kind::cosine;
  else if (type == "inverse-square-root")
    s.kind = Kind::inverse_square_root;
  else
    refuse(
        json.is_object() ? path + "/type" : path,
        "unknown schedule \"" + type + "\"; known: constant, linear, cosine, inverse-square-root");
  if (!json.is_object()) return;
  check_members(json, path, {"type", "warmup", "end"});
  double warmup = 0;
  take(json, "warmup", path, {0, 1e9, false, true}, warmup);
  s.warmup = static_cast<std::uint64_t>(warmup);
  take(json, "end", path, whole_share, s.end);
}

void read_word_dropout(const Json& json, TrainingSettings& settings) {
  const std::string path = base + "/word-dropout";
  if (!json.is_object()) {
    // The words that are read: a question keeps its answer.
    for (const TaskField& field : settings.task->fields) {
      if (!field.numbers && !field.answer)
        settings.word_dropout[std::string(field.name)] = number_in(json, path, partial_share);
    }
    return;
  }
  for (const auto& [field, rate] : json.items()) {
    bool known = false;
    for (const TaskField& one : settings.task->fields)
      known = known || (one.name == field && !one.numbers);
    if (!known)
      refuse(path + "/" + as_pointer_part(field),
             std::string(settings.task->id) + " has no field of words \"" + field + "\"");
    settings.word_dropout[field] =
        number_in(rate, path + "/" + as_pointer_part(field), partial_share);
  }
}

void read_stop(const Json& json, StopAt& stop) {
  const std::string path = base + "/stop";
  if (!json.is_object())
    refuse(path, "expected an object such as {\"accuracy\": 0.99}, found " + describe(json));
  check_members(json, path, {"accuracy", "alignment", "loss"});
  if (const Json* given = member(json, "accuracy"))
    stop.accuracy = number_in(*given, path + "/accuracy", whole_share);
  if (const Json* given = member(json, "alignment"))
    stop.alignment = number_in(*given, path + "/alignment", whole_share);
  if (const Json* given = member(json, "loss"))
    stop.loss = number_in(*given, path + "/loss", {0, 1e9});
}

void read_frozen(const Json& json, std::vector<std::string>& frozen) {
  const std::string path = base + "/frozen";
  if (!json.is_array())
    refuse(path, "expected a list of parameter names, * allowed, found " + describe(json));
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (!json[i].is_string())
      refuse(path + "/" + std::to_string(i),
             "expected the name of a parameter, found " + describe(json[i]));
    frozen.push_back(json[i].get<std::string>());
  }
}

}  // namespace

const std::string& TrainingSettings::input_of(std::size_t field) const {
  const std::string_view name = (task->fields.begin() + static_cast<long>(field))->name;
  return inputs.find(name)->second;
}

TrainingSettings read_training(const Json& json) {
  TrainingSettings settings;
  if (!json.is_object()) refuse(base, "expected an object with a task, found " + describe(json));
  check_members(json, base, members::training);
  const Json* task = member(json, "task");
  if (task == nullptr) refuse(base + "/task", "expected a task, found nothing");
  read_task(*task, settings);
  for (const TaskField& field : settings.task->fields)
    settings.inputs.try_emplace(std::string(field.name), field.name);
  if (const Json* given = member(json, "optimiser")) read_optimiser(*given, settings.optimiser);
  if (const Json* given = member(json, "schedule")) read_schedule(*given, settings.schedule);
  double batch = static_cast<double>(settings.batch), steps = static_cast<double>(settings.steps);
  take(json, "batch", base, {1, 4096, false, true}, batch);
  take(json, "steps", base, {1, 1e9, false, true}, steps);
  settings.batch = static_cast<std::size_t>(batch);
  double shares = 1;
  take(json, "shares", base, {1, 64, false, true}, shares);
  settings.shares = static_cast<std::size_t>(shares);
  settings.steps = static_cast<std::uint64_t>(steps);
  take(json, "clip", base, {0, 1e9}, settings.clip);
  take(json, "dropout", base, partial_share, settings.dropout);
  take(json, "teacher-forcing", base, whole_share, settings.teacher_forcing);
  take(json, "guide", base, {0, 1000}, settings.guide);
  if (const Json* given = member(json, "word-dropout")) read_word_dropout(*given, settings);
  if (const Json* given = member(json, "estimator"))
    settings.estimator = type_of(*given, base + "/estimator");
  if (settings.shares > 1 && settings.rewarded())
    refuse(base + "/shares",
           "the moving baseline compares each loss with the mean loss of the whole batch, so a "
           "batch cannot be divided: expected 1 share, found " +
               std::to_string(settings.shares));
  if (const Json* given = member(json, "frozen")) read_frozen(*given, settings.frozen);
  if (const Json* given = member(json, "stop")) read_stop(*given, settings.stop);
  return settings;
}

}  // namespace attend
