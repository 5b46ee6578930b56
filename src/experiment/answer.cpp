// SPDX-License-Identifier: Apache-2.0
#include "experiment/answer.h"

#include <algorithm>

#include "experiment/read_inputs.h"
#include "experiment/run.h"
#include "ops/needed.h"

namespace attend {
namespace {

constexpr std::size_t most_words = 64;

// The likeliest word of each of so many rows.
std::vector<std::string> likeliest(const Json& document, const AnswerPlace& place,
                                   std::size_t rows) {
  const Result result = run(compile(read_document(document)), Detail::outputs);
  std::vector<std::string> words;
  const std::size_t classes = place.classes.size();
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.name != place.logits->name || tensor.group != ResultGroup::outputs) continue;
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
           "the words that it may write change with those that it has written; give every module "
           "that reads or compares words the same vocabulary");
  return words;
}

Json as_json(const AnswerPlace& place, const std::vector<std::string>& tokens, bool ended) {
  return {{"input", place.input}, {"tokens", tokens}, {"ended", ended}};
}

}  // namespace

std::optional<AnswerPorts> ports_of_answers(std::string_view type) {
  const Mechanism* mechanism = find_mechanism(Kind::structure, type);
  if (mechanism == nullptr) return std::nullopt;
  const std::string_view logits = std::get<Structure>(mechanism->behaviour).logits;
  const Role* words = role_of_words(*mechanism);
  if (logits.empty() || words == nullptr) return std::nullopt;
  return AnswerPorts{logits, words->name};
}

std::optional<AnswerPlace> find_answer(const Compiled& compiled,
                                       const std::function<bool(const std::string&)>& is_right) {
  const Builder& builder = compiled.builder();
  for (std::size_t at = 0; at < builder.modules.size(); ++at) {
    const ModuleNode& module = builder.modules[at];
    const auto ports = ports_of_answers(module.type);
    if (!ports) continue;
    std::string logits(ports->logits), target(ports->words);
    for (const ModuleNode::Wire& wire : module.inputs) {
      if (wire.port == ports->logits) logits = wire.source;
      if (wire.port == ports->words) target = wire.source;
    }
    AnswerPlace place{.logits = builder.output_behind(logits), .input = target};
    if (place.logits == nullptr || !is_right(target)) continue;
    const std::vector<bool> needed = needed_for(compiled.graph(), {place.logits->var.id()});
    for (const Leaf& leaf : builder.leaves) {
      const auto words = compiled.words().find(leaf.var.id());
      if (words == compiled.words().end()) continue;
      if (leaf.var.node().module == at) place.classes = words->second.vocabulary;
      if (needed[leaf.var.id()] && is_right(words->second.input)) place.reads = true;
    }
    if (place.classes.size() == place.logits->var.extent(-1)) return place;
  }
  return std::nullopt;
}

std::string written_text(std::string_view text) {
  Json document = parse_json(text);
  const Compiled compiled = compile(read_document(document));
  const auto place = find_answer(compiled, [&](const std::string& input) {
    return document["inputs"].contains(input) && document["inputs"][input].contains("tokens");
  });
  if (!place)
    refuse("",
           "this document answers nothing in words: that takes a loss of the type "
           "\"cross-entropy\" that compares logits with the tokens of an input");
  document.erase("gradient");
  document["outputs"] = {place->logits->name};
  if (!place->reads) {
    const std::size_t rows = place->logits->var.shape().end()[-2];
    return as_json(*place, likeliest(document, *place, rows), true).dump();
  }
  // A row reads the words before it; what stands in its own place, it never sees.
  const std::string& end = place->classes[WordList::end];
  std::vector<std::string> tokens{end};
  while (tokens.size() <= most_words) {
    document["inputs"][place->input]["tokens"] = tokens;
    tokens.back() = likeliest(document, *place, tokens.size()).back();
    if (tokens.back() == end) return as_json(*place, tokens, true).dump();
    tokens.push_back(end);
  }
  tokens.pop_back();
  return as_json(*place, tokens, false).dump();
}

}  // namespace attend
