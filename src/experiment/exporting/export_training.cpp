// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "experiment/exporting/modules.h"
#include "experiment/learning/learn_program.h"
#include "experiment/learning/learner.h"
#include "export/names.h"
#include "export/python_texts.h"

namespace attend {
namespace {

Json optimiser_json(const OptimiserSettings& s) {
  const bool sgd = s.kind == OptimiserSettings::Kind::sgd;
  Json json{{"type", sgd                                       ? "sgd"
                     : s.kind == OptimiserSettings::Kind::adam ? "adam"
                                                               : "adamw"},
            {"rate", s.rate},
            {"weight-decay", s.weight_decay}};
  if (sgd)
    json.update({{"momentum", s.momentum}, {"nesterov", s.nesterov}});
  else
    json.update({{"beta1", s.beta1}, {"beta2", s.beta2}, {"eps", s.eps}});
  return json;
}

std::string schedule_name(Schedule::Kind kind) {
  switch (kind) {
    case Schedule::Kind::linear:
      return "linear";
    case Schedule::Kind::cosine:
      return "cosine";
    case Schedule::Kind::inverse_square_root:
      return "inverse-square-root";
    case Schedule::Kind::constant:
      break;
  }
  return "constant";
}

void check_can_be_written(const Lesson& lesson) {
  const TrainingSettings& settings = lesson.settings;
  if (settings.rewarded())
    refuse("/training/estimator",
           "the moving baseline needs the log probability of every choice, which a module does not "
           "give; \"reinforce\" and \"straight-through\" can be exported");
  if (settings.teacher_forcing < 1)
    refuse(
        "/training/teacher-forcing",
        "below 1, a step reads words that the model writes during the step, and `attend examples` "
        "cannot list these words; use 1");
  const Task& task = *settings.task;
  const TaskField& aligned = *(task.fields.begin() + static_cast<long>(task.aligned()));
  if (settings.guide > 0 && aligned.numbers)
    refuse("/training/guide",
           "the exported script cannot compare links to the pixels of an image with a coarser "
           "map; use 0");
}

}  // namespace

std::string export_training(std::string_view document) {
  const Learner learner(parse_json(document));
  const Lesson& lesson = learner.lesson();
  check_can_be_written(lesson);
  const TrainingSettings& settings = lesson.settings;
  const LearnProgram program(lesson, learner.held_out().front(), settings.batch,
                             LearnProgram::Purpose::learns);
  Json json{{"seed", lesson.seed},
            {"steps", settings.steps},
            {"batch", settings.batch},
            {"clip", settings.clip},
            {"guide", settings.guide},
            {"optimiser", optimiser_json(settings.optimiser)},
            {"moments", moments_of(settings.optimiser)},
            {"schedule", schedule_name(settings.schedule.kind)},
            {"warmup", settings.schedule.warmup},
            {"end", settings.schedule.end},
            {"answer", settings.input_of(settings.task->answer())},
            {"loss", program.loss_result()},
            {"map", program.maps().empty() ? Json() : Json(program.maps().back().name)},
            {"arguments", Json::object()},
            {"weights", Json::array()}};
  if (program.maps().empty()) json["guide"] = 0;  // nothing can be drawn to the truth
  for (const LearnProgram::Weight& weight : program.weights())
    json["weights"].push_back(weight.name);
  Identifiers names;
  for (std::size_t k = 0; k < settings.task->fields.size(); ++k)
    json["arguments"][settings.input_of(k)] = identifier_of_name(settings.input_of(k));
  std::string code(training_script);
  const std::size_t imports = code.find("\n\n\n") + 2;
  // JSON's names for true, false and nothing are not Python's.
  const std::string text = Json(json.dump()).dump();
  code.insert(imports, "\nSETTINGS = json.loads(" + text + ")\n");
  return "\"\"\"Trains the module in model.py with the settings in the document's `training`.\n\n"
         "    attend export pytorch --module FILE > model.py\n"
         "    attend train FILE --steps 0 --to first.safetensors\n"
         "    attend examples FILE --step 1 --steps " +
         std::to_string(settings.steps) +
         " --draws > data.jsonl\n"
         "    python3 train.py --data data.jsonl --from first.safetensors --to trained.safetensors\n"
         "\nOn several processes: torchrun --nproc_per_node 2 train.py .. ; every process reads the "
         "same data.\n\"\"\"\n" +
         code;
}

}  // namespace attend
