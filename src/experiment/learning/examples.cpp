// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/examples.h"

#include "experiment/learning/learner.h"

namespace attend {
namespace {

constexpr std::size_t most_examples = 1'000'000;

Json inputs_read(const Lesson& lesson, const Example& example) {
  Json inputs = Json::object();
  for (std::size_t k = 0; k < example.fields.size(); ++k) {
    const Filling& filling = example.fields[k];
    Json& input = inputs[lesson.settings.input_of(k)];
    fill_input(input, lesson, k, filling);
    if (filling.shape.empty()) input["ids"] = filling.words;
  }
  return inputs;
}

Json to_json(const Lesson& lesson, const Example& example) {
  const std::size_t answer = lesson.settings.task->answer();
  Json json{{"inputs", inputs_read(lesson, example)},
            {"truth", tokens_of(*lesson.source, answer, example.fields[answer])},
            {"links", Json::array()}};
  for (const Link& link : example.links)
    json["links"].push_back(
        {link.row, link.column, link.kind == LinkKind::means ? "means" : "agrees"});
  for (const Link& match : example.matches) json["matches"].push_back({match.row, match.column});
  if (!example.asked.empty()) json["asked"] = example.asked;
  return json;
}

void write_list(const Learner& learner, const ExampleOptions& options) {
  std::vector<Example> list =
      options.held_out ? learner.held_out() : learner.training_examples(options.count);
  if (list.size() > options.count) list.resize(options.count);
  for (std::size_t i = 0; i < list.size(); ++i) {
    Json line{{"set", options.held_out ? "held out" : "training"}, {"example", i}};
    line.update(to_json(learner.lesson(), list[i]));
    options.line(line.dump());
  }
}

void write_step(Learner& learner, std::uint64_t step, const ExampleOptions& options) {
  const Learner::Reading reading = learner.reading_of(step);
  for (std::size_t i = 0; i < reading.examples.size(); ++i) {
    Json line{{"set", "training"},
              {"step", step},
              {"epoch", reading.epoch},
              {"batch", reading.batch},
              {"example", i}};
    line.update(to_json(learner.lesson(), reading.examples[i]));
    if (reading.read[i].fields != reading.examples[i].fields)
      line["read"] = inputs_read(learner.lesson(), reading.read[i]);
    options.line(line.dump());
  }
  if (!options.draws) return;
  Json line{{"step", step}, {"draws", Json::object()}};
  for (const Learner::Reading::Draw& draw : reading.draws)
    line["draws"][draw.name] = {{"shape", draw.shape}, {"data", draw.numbers}};
  options.line(line.dump());
}

}  // namespace

void write_examples(std::string_view document, const ExampleOptions& options) {
  if (options.count > most_examples)
    refuse("--count", "expected at most " + std::to_string(most_examples) + " examples, found " +
                          std::to_string(options.count));
  Learner learner(parse_json(document));
  const Lesson& lesson = learner.lesson();
  if (options.words) {
    Json words = Json::object();
    for (std::size_t k = 0; k < lesson.settings.task->fields.size(); ++k)
      words[lesson.settings.input_of(k)] = lesson.source->words(k);
    return options.line(Json{{"words", std::move(words)}}.dump());
  }
  if (!options.step) return write_list(learner, options);
  for (std::uint64_t k = 0; k < options.steps; ++k) write_step(learner, *options.step + k, options);
}

std::string document_in_weights(std::string_view bytes, const std::string& name) {
  TensorFile file;
  try {
    file = read_tensor_file(bytes);
  } catch (const Error& error) {
    refuse("", "\"" + name + "\": " + error.what());
  }
  const auto text = file.metadata.find("document");
  if (text == file.metadata.end())
    refuse("", "the file \"" + name +
                   "\" holds tensors but no document; files that `attend train` writes have one");
  Json document = parse_json(text->second);
  if (!document.is_object())
    refuse("", "the document in the file \"" + name + "\" is not an object");
  document["parameters"] = {{"from", name}};
  return document.dump();
}

}  // namespace attend
