// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/answer.h"

#include <algorithm>

#include "experiment/learning/learn_program.h"
#include "experiment/learning/stepwise.h"
#include "experiment/reading/read_inputs.h"
#include "experiment/reading/training_settings.h"
#include "experiment/recording/row_count.h"
#include "experiment/running/run.h"
#include "experiment/text/words.h"
#include "ops/needed.h"

namespace attend {
namespace {

// The likeliest word of each of so many rows.
std::vector<std::string> likeliest(const Json& document, const AnswerPlace& place,
                                   std::size_t rows) {
  const Result result = run(compile(read_document(document)), Detail::outputs);
  std::vector<std::string> words;
  const std::size_t classes = place.classes.size();
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.name() != place.logits->name || tensor.group() != TensorGroup::outputs) continue;
    const Numbers numbers = result.data(tensor);
    if (numbers.size() != rows * classes) break;
    for (std::size_t at = 0; at + classes <= numbers.size(); at += classes) {
      const auto row = numbers.subspan(at, classes);
      words.push_back(place.classes[static_cast<std::size_t>(
          std::max_element(row.begin(), row.end()) - row.begin())]);
    }
  }
  if (words.empty())
    refuse("/model",
           "the words to choose from depend on those already written; give every module "
           "that reads or compares words the same vocabulary");
  return words;
}

// The words of every field of a task but its answer; nothing where one of them holds no words.
std::optional<std::vector<std::vector<std::string>>> sources_of(const TrainingSettings& settings,
                                                                const Json& inputs) {
  const Task& task = *settings.task;
  std::vector<std::vector<std::string>> sources;
  for (std::size_t k = 0; k < task.fields.size(); ++k) {
    if (k == task.answer()) continue;
    const auto input = inputs.find(settings.input_of(k));
    if (input == inputs.end() || !input->contains("tokens")) return std::nullopt;
    sources.push_back((*input)["tokens"].get<std::vector<std::string>>());
  }
  return sources;
}

// How many words it may write: where answers of its task have no end, as many as the right one to these sources has, or
// an example where the task knows none.
std::size_t words_of_answer(const Json& document, const AnswerPlace& place,
                            std::size_t most_words) {
  if (!document.contains("training")) return most_words;
  const TrainingSettings settings = read_training(document["training"]);
  const Task& task = *settings.task;
  if (settings.input_of(task.answer()) != place.input) return most_words;
  try {
    const std::unique_ptr<TaskSource> source = task.open(settings.knobs);
    const auto sources =
        task.knows_every_source() ? sources_of(settings, document["inputs"]) : std::nullopt;
    const std::optional<Example> known = sources ? source->answer_to(*sources) : std::nullopt;
    Draws draws(RandomStream(1, "answer"));
    const Example example = known                      ? *known
                            : source->listed().empty() ? source->draw(draws)
                                                       : source->listed().front();
    const auto tokens = tokens_of(*source, task.answer(), example.fields[task.answer()]);
    const bool ends = tokens.empty() || tokens.back() == place.classes[WordList::end];
    return ends ? most_words : std::min(tokens.size(), most_words);
  } catch (const Error&) {
    return most_words;  // settings that do not go together keep nobody from writing
  }
}

// What the document's task knows of these words: the right answer, or that it makes no such source.
void add_truth(Json& answer, const Json& document) {
  if (!document.contains("training")) return;
  const TrainingSettings settings = read_training(document["training"]);
  const Task& task = *settings.task;
  if (!task.knows_every_source() || answer["input"] != settings.input_of(task.answer())) return;
  const auto sources = sources_of(settings, document["inputs"]);
  if (!sources) return;
  std::unique_ptr<TaskSource> source;
  try {
    source = task.open(settings.knobs);
  } catch (const Error&) {
    return;  // settings that do not go together keep nobody from writing
  }
  const auto known = source->answer_to(*sources);
  answer["task"] = {{"id", std::string(task.id)}, {"right", nullptr}, {"forms", forms_of(task)}};
  if (known)
    answer["task"]["right"] = tokens_of(*source, task.answer(), known->fields[task.answer()]);
}

// What came out, and of words that came one row at a time the size of the state; else why they did not.
struct WrittenWords {
  std::vector<std::string> tokens;
  bool ended = false;
  Json steps = Json::object();
};

// A row reads the words before it and never its own word.
void write_whole(Json& document, const AnswerPlace& place, std::size_t most, WrittenWords& out) {
  const std::string& end = place.classes[WordList::end];
  std::vector<std::string> tokens{end};
  while (tokens.size() <= most) {
    document["inputs"][place.input]["tokens"] = tokens;
    tokens.back() = likeliest(document, place, tokens.size()).back();
    out.ended = tokens.back() == end;
    if (out.ended) break;
    tokens.push_back(end);
  }
  if (!out.ended) tokens.pop_back();
  out.tokens = std::move(tokens);
}

// One row a word, where the program is causal. Throws Error where it is not.
void write_by_rows(Json document, const AnswerPlace& place, std::size_t most, WrittenWords& out) {
  const std::string& end = place.classes[WordList::end];
  document["inputs"][place.input]["tokens"] = std::vector<std::string>(most, end);
  const Compiled longest = compile_row_by_row(read_document(std::move(document)));
  const std::string& logits = place.logits->name;
  if (longest.shape_of(longest.find(logits)).back() != place.classes.size())
    refuse("/model", "the words to choose from depend on those already written");
  StepRunner runner(stepwise_or_blamed(longest, place.input, {logits}));
  const std::vector<SteppedLeaf> leaves = stepped_leaves(longest, runner.program());
  for (const SteppedLeaf& one : leaves) {
    if (one.words == nullptr || !one.words->after_start)
      refuse("/inputs/" + place.input, "a row reads the word at its own position");
  }
  if (runner.program().results.empty()) refuse("/model", "no word depends on the words before it");
  while (!out.ended && out.tokens.size() < most) {
    for (std::size_t k = 0; k < leaves.size(); ++k) {
      const std::span<real> room = runner.row(k);
      std::fill(room.begin(), room.end(), real{0});
      if (room.empty()) continue;
      room[out.tokens.empty() ? WordList::start : leaves[k].words->index_of(out.tokens.back())] = 1;
    }
    runner.step();
    const Numbers row = runner.result(0);
    out.tokens.push_back(place.classes[static_cast<std::size_t>(
        std::max_element(row.begin(), row.end()) - row.begin())]);
    out.ended = out.tokens.back() == end;
  }
  out.steps["state"] = describe_state(longest, runner);
}

WrittenWords words_of_model(Json& document, const AnswerPlace& place, std::size_t most_words) {
  const std::size_t most = words_of_answer(document, place, most_words);
  WrittenWords out;
  try {
    write_by_rows(document, place, most, out);
  } catch (const Error& error) {
    out = {};
    out.steps["whole"] = {{"path", error.path}, {"message", error.what()}};
    write_whole(document, place, most, out);
  }
  document["inputs"][place.input]["tokens"] = out.tokens;
  out.ended = out.ended || most < most_words;
  return out;
}

std::string as_text(const AnswerPlace& place, const std::vector<std::string>& tokens, bool ended,
                    const Json& document, const Json& more = Json::object()) {
  Json answer{{"input", place.input}, {"tokens", tokens}, {"ended", ended}};
  answer.update(more);
  add_truth(answer, document);
  return answer.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Json forms_of(const Task& task) {
  Json forms = Json::array();
  const Json& words = words_of_task(task.id);
  for (const std::string_view like : task.forms)
    forms.push_back(
        {{"says", words.at("forms").at(std::string(like))}, {"like", std::string(like)}});
  return forms;
}

std::optional<AnswerPlace> find_answer(const Compiled& compiled,
                                       const std::function<bool(const std::string&)>& is_right) {
  const Directory& directory = compiled.directory();
  for (std::size_t at = 0; at < directory.modules().size(); ++at) {
    const ModuleNode& module = directory.modules()[at];
    const auto ports = ports_of_answers(module.type);
    if (!ports) continue;
    std::string source(ports->logits), target(ports->words);
    for (const ModuleNode::Wire& wire : module.inputs) {
      if (wire.port == ports->logits) source = wire.source;
      if (wire.port == ports->words) target = wire.source;
    }
    const KnownTensor* const logits = directory.output_behind(source);
    if (logits == nullptr || !is_right(target)) continue;
    AnswerPlace place{.logits = logits->record, .node = logits->node, .input = target};
    const std::vector<bool> needed = needed_for(compiled.graph(), {place.node});
    for (const Leaf& leaf : compiled.leaves()) {
      const auto words = compiled.words().find(leaf.node);
      if (words == compiled.words().end()) continue;
      if (compiled.graph()[leaf.node].module == at) place.classes = words->second.vocabulary;
      if (needed[leaf.node] && words->second.input == target) place.reads = true;
    }
    if (place.classes.size() == compiled.shape_of(place.node).back()) return place;
  }
  return std::nullopt;
}

std::string written_text(std::string_view text, std::size_t most_words) {
  Json document = with_task(parse_json(text));
  const Compiled compiled = compile(read_document(document));
  const auto place = find_answer(compiled, [&](const std::string& input) {
    return document["inputs"].contains(input) && document["inputs"][input].contains("tokens");
  });
  if (!place)
    refuse("",
           "this document does not answer in words; to do so, it needs a loss of the type "
           "\"cross-entropy\" that compares logits with the tokens of an input");
  document.erase("gradient");
  document["outputs"] = {place->logits->name};
  if (!place->reads) {
    const std::size_t rows = compiled.shape_of(place->node).end()[-2];
    return as_text(*place, likeliest(document, *place, rows), true, document);
  }
  const WrittenWords written = words_of_model(document, *place, most_words);
  return as_text(*place, written.tokens, written.ended, document, written.steps);
}

}  // namespace attend
