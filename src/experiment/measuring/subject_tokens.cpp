// SPDX-License-Identifier: Apache-2.0
// The tokens along a model's keys: the slopes by their vectors, and the answers without one of them.
#include <algorithm>

#include "catalogue/vocabulary.h"
#include "catalogue/words_knob.h"
#include "experiment/measuring/subject.h"
#include "ops/needed.h"

namespace attend {
namespace {

bool reads_words(const Choice& choice) { return role_of_words(*choice.mechanism) != nullptr; }

// The list of words that the document gives a module; null where it counts them by itself.
const std::vector<std::string>* given_words(const Choice& choice) {
  const Knob* knob = words_knob_of(*choice.mechanism);
  const auto given = knob == nullptr ? choice.knobs.end() : choice.knobs.find(knob->name);
  return given == choice.knobs.end() ? nullptr : &std::get<std::vector<std::string>>(given->second);
}

void leave_out(Input& input, std::size_t token) {
  const auto at = static_cast<long>(token);
  if (!input.labels.empty()) input.labels.erase(input.labels.begin() + at);
  Tensor& tensor = input.tensor;
  const auto width = static_cast<long>(tensor.data.size() / tensor.shape.front());
  tensor.data.erase(tensor.data.begin() + at * width, tensor.data.begin() + (at + 1) * width);
  --tensor.shape.front();
}

}  // namespace

std::vector<std::string> DocumentSubject::answer_words() const {
  const Document& document = compiled_.document();
  for (const ModuleUse& module : document.modules) {
    if (module.name != compiled_.directory().document_module(answer_.record->module) ||
        !reads_words(module.choice))
      continue;
    if (const std::vector<std::string>* given = given_words(module.choice)) return *given;
    const std::string port(role_of_words(*module.choice.mechanism)->name);
    const auto wire = module.wires.find(port);
    const auto input = document.inputs.find(wire == module.wires.end() ? port : wire->second);
    if (input != document.inputs.end()) return words_by_appearance(input->second.labels);
  }
  return {};
}

// The list of tokens along the keys, which is an input.
std::string DocumentSubject::key_labels() {
  std::string labels = weights_output().record->axes.back().labels;
  if (labels.empty() || !compiled_.document().inputs.contains(labels))
    refuse(path_, "the keys of \"" + weights_output().record->name +
                      "\" have no tokens; give the input that they come from as tokens");
  return labels;
}

// The first vectors of each token: the input's own rows where they are read, or else the first
// result with one row a token.
NodeId DocumentSubject::token_vectors(const std::string& labels) const {
  const std::vector<bool> read = needed_for(compiled_.graph(), {answer_.node});
  for (const Leaf& leaf : compiled_.leaves())
    if (leaf.kind == Leaf::Kind::input && leaf.name() == labels && leaf.shape.size() == 2 &&
        read[leaf.node])
      return leaf.node;
  for (const KnownTensor& output : compiled_.outputs()) {
    const auto& axes = output.record->axes;
    if (read[output.node] && axes.size() == 2 && axes[0].labels == labels &&
        axes[1].role == AxisRole::feature)
      return output.node;
  }
  refuse(path_, "no result has one row per token of \"" + labels + "\"");
}

Subject::TokenSlopes DocumentSubject::token_slopes(const Tensor& cotangent) {
  static_cast<void>(usual());
  const std::string slope = gradient_key("vectors");
  if (!tokens_) {
    const Program with = with_answer(compiled_.program());
    std::vector<Program::Result> results{{answer_name, with.find(answer_name)},
                                         {"vectors", token_vectors(key_labels())}};
    const Program program =
        with_gradient(batched_if(with.with_results(std::move(results))), answer_name, {"vectors"});
    tokens_ = bind(
        program.with_results({{"vectors", program.find("vectors")}, {slope, program.find(slope)}}));
  }
  tokens_->set(cotangent_key(answer_name), cotangent.data);
  tokens_->evaluate();
  return {(*tokens_)["vectors"], (*tokens_)[slope]};
}

// One example by itself, without a token. Modules that count words by appearance keep the list that
// they have with it.
Document DocumentSubject::without_token(std::size_t example, std::size_t token,
                                        const std::string& labels) const {
  Document document = compiled_.document();
  if (!document.examples.empty()) {
    for (const auto& [name, input] : document.examples[example]) document.inputs[name] = input;
    document.examples.clear();
  }
  for (ModuleUse& module : document.modules) {
    const bool reads =
        std::ranges::any_of(module.wires, [&](const auto& wire) { return wire.second == labels; });
    const Knob* knob = words_knob_of(*module.choice.mechanism);
    const bool counts =
        knob != nullptr && reads_words(module.choice) && given_words(module.choice) == nullptr;
    if (counts && (reads || module.name.empty()))
      module.choice.knobs[std::string(knob->name)] =
          words_by_appearance(compiled_.document().inputs.at(labels).labels);
  }
  Input& input = document.inputs.at(labels);
  if (input.tensor.shape.empty() || input.tensor.shape.front() < 2)
    refuse(path_, "\"" + labels + "\" has only one token, so none can be left out");
  leave_out(input, token);
  document.outputs.reset();
  document.gradient.reset();
  return document;
}

Tensor DocumentSubject::output_without(std::size_t example, std::size_t token) {
  DocumentSubject less(without_token(example, token, key_labels()),
                       {wish_.weights, answer_.record->name}, path_, this);
  less.run_ = less.bind(less.with_answer(less.compiled_.program()));
  less.run_->evaluate();
  return (*less.run_)[answer_name];
}

}  // namespace attend
