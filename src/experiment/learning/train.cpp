// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/train.h"

#include <algorithm>

#include "experiment/learning/answer.h"
#include "experiment/text/words.h"
#include "training/own_data.h"

namespace attend {

Json to_json(const Measures& m) {
  Json json{{"heldOut", m.examples},
            {"heldOutLoss", m.loss},
            {"accuracy", m.accuracy},
            {"exact", m.exact}};
  if (m.means >= 0) json["alignment"] = m.means;
  if (m.agrees >= 0) json["agrees"] = m.agrees;
  for (const Measures::Head& head : m.heads) {
    Json one{
        {"map", head.map}, {"head", head.head}, {"alignment", head.means}, {"agrees", head.agrees}};
    json["heads"].push_back(std::move(one));
  }
  return json;
}

Json to_json(const Pinned& pinned) {
  Json json{{"source", pinned.source},
            {"truth", pinned.truth},
            {"written", pinned.written},
            {"chance", pinned.chance}};
  if (!pinned.given.empty()) json["given"] = Json::object();
  for (const auto& [field, words] : pinned.given) json["given"][field] = words;
  if (pinned.outside) json["outside"] = true;
  if (!pinned.image.shape.empty()) json["image"] = pinned.image.shape;
  json["maps"] = Json::array();
  for (const Pinned::Map& map : pinned.maps)
    json["maps"].push_back({{"name", map.name}, {"shape", {map.heads, map.rows, map.columns}}});
  json["links"] = Json::array();
  for (const Link& link : pinned.links)
    json["links"].push_back(
        {link.row, link.column, link.kind == LinkKind::means ? "means" : "agrees"});
  return json;
}

bool reached(const StopAt& stop, const Measures& measures) {
  if (!stop.accuracy && !stop.alignment && !stop.loss) return false;
  return (!stop.accuracy || measures.accuracy >= *stop.accuracy) &&
         (!stop.alignment || measures.means >= *stop.alignment) &&
         (!stop.loss || measures.loss <= *stop.loss);
}

std::string tasks_text() {
  Json list = Json::array();
  for (const Task* task : all_tasks()) {
    const Json& words = words_of_task(task->id);
    Json one{{"id", std::string(task->id)},  {"title", words.at("title")},
             {"says", words.at("sentence")}, {"shows", words.at("shows")},
             {"fields", Json::array()},      {"knobs", Json::array()},
             {"forms", forms_of(*task)}};
    for (const TaskField& field : task->fields)
      one["fields"].push_back({{"name", std::string(field.name)},
                               {"answer", field.answer},
                               {"numbers", field.numbers}});
    for (const TaskKnob& knob : task->knobs) {
      const std::string name(knob.name);
      Json row{{"name", name}, {"title", title_of_knob(words, name)}};
      if (knob.text)
        row["type"] = "text";
      else
        row.update({{"type", knob.whole ? "integer" : "number"},
                    {"default", knob.fallback},
                    {"minimum", knob.least},
                    {"maximum", knob.most},
                    {"words", knob.words}});
      one["knobs"].push_back(std::move(row));
    }
    list.push_back(std::move(one));
  }
  return list.dump();
}

std::string with_text(std::string_view document, const std::string& text) {
  Json json = parse_json(document);
  Json none;
  Json& task = json.is_object() && json["training"].is_object() ? json["training"]["task"] : none;
  if (task.is_string()) task = Json{{"type", task}};
  const bool named = task.is_object() && task.contains("type") && task["type"].is_string();
  const std::string id = named ? task["type"].get<std::string>() : "";
  std::string readers;
  for (const Task* one : all_tasks()) {
    const bool reads = std::any_of(one->knobs.begin(), one->knobs.end(), [](const TaskKnob& knob) {
      return knob.name == own_text_knob.name;
    });
    if (!reads) continue;
    readers += (readers.empty() ? "" : ", ") + std::string(one->id);
    if (id != one->id) continue;
    task[std::string(own_text_knob.name)] = text;
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  refuse("/training/task", (id.empty() ? "the document has no task" : id + " reads no text") +
                               "; the tasks that read text are " + readers);
}

TrainingEnd train(std::string_view document, const TrainOptions& options) {
  Learner learner(parse_json(document), options.portable ? Terms::apart : Terms::fused);
  if (options.from) {
    try {
      learner.restore(read_tensor_file(*options.from));
    } catch (const Error& error) {
      throw Error("--from", error.what());
    }
  }
  const TrainingSettings& settings = learner.lesson().settings;
  const std::uint64_t steps = options.steps.value_or(settings.steps);
  const std::uint64_t every =
      options.every == 0 ? std::max<std::uint64_t>(steps / 20, 1) : options.every;
  if (learner.steps_taken() > steps)
    refuse("", "the checkpoint has already taken " + std::to_string(learner.steps_taken()) +
                   " steps, more than the " + std::to_string(steps) + " requested");
  const auto kept = [&](bool failed = false) -> TrainingEnd {
    return {
        write_tensor_file(options.ships ? learner.shipped() : learner.checkpoint(), options.code),
        failed};
  };
  if (options.measures) {
    Json line{{"step", learner.steps_taken()}};
    line.update(to_json(learner.measure(DataSet::held_out_of_drawn)));
    options.line(line.dump());
    return kept();
  }
  double since = options.seconds(), loss = 0;
  std::uint64_t counted = 0;
  while (learner.steps_taken() < steps) {
    const StepReport report = learner.step();
    if (!report.failure.empty()) {
      options.line(Json{{"step", report.step}, {"failure", report.failure}}.dump());
      return kept(true);
    }
    loss += report.loss;
    ++counted;
    if (report.step % every != 0 && report.step != steps) continue;
    const double spent = options.seconds() - since;
    const Measures measures = learner.measure(DataSet::held_out_of_drawn);
    Json line{{"step", report.step},
              {"loss", loss / static_cast<double>(counted)},
              {"gradientNorm", report.gradient_norm},
              {"rate", report.rate},
              {"stepsPerSecond", spent > 0 ? static_cast<double>(counted) / spent : 0}};
    line.update(to_json(measures));
    options.line(line.dump());
    loss = 0;
    counted = 0;
    since = options.seconds();
    if (reached(settings.stop, measures)) break;
  }
  return kept();
}

}  // namespace attend
