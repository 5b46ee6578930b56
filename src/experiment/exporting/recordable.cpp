// SPDX-License-Identifier: Apache-2.0
#include "experiment/exporting/recordable.h"

#include <algorithm>

#include "experiment/exporting/longer_inputs.h"
#include "experiment/learning/answer.h"
#include "experiment/learning/learn_program.h"
#include "experiment/learning/read_lesson.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/recording/normalise.h"
#include "experiment/recording/row_count.h"
#include "export/symbolic.h"
#include "ops/hoist.h"
#include "training/passes.h"

namespace attend {
namespace {

bool same_constants(const SizedRecording& a, const SizedRecording& b) {
  return std::all_of(
      a.program.leaves().begin(), a.program.leaves().end(), [&](const Program::Leaf& leaf) {
        const Leaf* own = a.compiled->recording().leaf(leaf.name);
        const Leaf* other = b.compiled->recording().leaf(leaf.name);
        if (leaf.kind != LeafKind::constant || own == nullptr) return true;
        return other != nullptr && a.compiled->leaf_data(*own) == b.compiled->leaf_data(*other);
      });
}

}  // namespace

RecordableDocument::RecordableDocument(Json document) : document_(settled(std::move(document))) {}

Json RecordableDocument::settled(Json document) {
  document = with_task(std::move(document));
  if (document.is_object() && document.contains("training")) {
    const Lesson lesson = read_lesson(document);
    document = lesson.document;
    dropout_ = lesson.settings.dropout;
    answer_ = lesson.settings.input_of(lesson.settings.task->answer());
  }
  document.erase("gradient");
  document.erase("examples");
  document.erase("outputs");
  const Json training = document.value("training", Json());
  document.erase("training");
  const Compiled compiled = compile(read_document(document));
  unsettled_ = document;
  Json whole = normalise(compiled);
  keep_vocabularies(whole, compiled);
  if (!training.is_null()) whole["training"] = training;
  return whole;
}

std::unique_ptr<Compiled> RecordableDocument::compiled_at(const Lengths& lengths) const {
  Json json = with_lengths(document_, lengths);
  json.erase("training");
  return std::make_unique<Compiled>(compile(read_document(std::move(json))));
}

SizedRecording RecordableDocument::recorded(const Lengths& lengths,
                                            const std::vector<std::size_t>& sizes) const {
  SizedRecording one{compiled_at(lengths), {}, sizes};
  const Compiled& compiled = *one.compiled;
  std::vector<Program::Leaf> leaves = trained_leaves(compiled);
  for (Program::Leaf& leaf : leaves) {
    const Leaf* const own = compiled.recording().leaf(leaf.name);
    if (own != nullptr && own->is_given() && leaf.kind == LeafKind::noise)
      leaf.kind = LeafKind::constant;  // the document's own draw, the same for all examples
  }
  std::vector<std::string> names;
  std::vector<Program::Result> results;
  for (const KnownTensor& output : compiled.requested()) {
    names.push_back(output.record->key());
    results.push_back({names.back(), output.node, output.record});
  }
  const std::vector<std::string> drops =
      dropout_ > 0 ? results_dropped(compiled, logits_of(compiled)) : std::vector<std::string>{};
  for (const std::string& name : drops) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    names.push_back(name);
    results.push_back({name, compiled.program().find(name)});
  }
  const Program program =
      compiled.program().with_leaves(std::move(leaves)).with_results(std::move(results));
  one.program = batched(pruned(program, names), sizes[0]);
  if (!drops.empty()) one.program = with_dropout(one.program, drops);
  one.program = hoisted(one.program);
  return one;
}

std::string RecordableDocument::logits_of(const Compiled& compiled) const {
  const auto place =
      find_answer(compiled, [&](const std::string& input) { return input == answer_; });
  return place ? output_key(place->logits->name) : "";
}

std::string RecordableDocument::refusal_at(const Lengths& lengths) const {
  try {
    (void)compiled_at(lengths);
  } catch (const Error& error) {
    return error.what();
  }
  return default_moved_by(lengths);
}

std::string RecordableDocument::default_moved_by(const Lengths& lengths) const {
  try {
    const Compiled here = compile(read_document(unsettled_));
    const Compiled there = compile(read_document(with_lengths(unsettled_, lengths)));
    if (const auto moved = moved_default(here.recording(), there.recording()))
      return "the default of \"" + moved->name + "\" depends on the length; give a value";
  } catch (const Error&) {
    // Nothing to compare: the document takes other lengths only with its defaults settled.
  }
  return "";
}

void RecordableDocument::check_words() {
  const SizedRecording own = recorded({}, {1});
  for (const auto& [name, input] : document_["inputs"].items()) {
    if (!input.is_object() || !input.contains("tokens") || input["tokens"].size() < 2) continue;
    const Json words = input["tokens"];
    Json& tokens = document_["inputs"][name]["tokens"];
    std::reverse(tokens.begin(), tokens.end());
    bool same = true;
    try {
      const SizedRecording other = recorded({}, {1});
      (void)SymbolicGraph({{&own.program.graph(), {1}}, {&other.program.graph(), {1}}}, {"batch"});
      same = same_constants(own, other);
    } catch (const Error&) {
      same = false;
    }
    tokens = words;
    if (!same)
      refuse(
          "/inputs/" + name,
          "the steps depend on these words (on their sentences, or on words that occur twice), so "
          "a module would fit only this text; export the script without --module");
  }
}

}  // namespace attend
