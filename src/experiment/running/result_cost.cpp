// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/result_cost.h"

#include <array>
#include <memory>
#include <vector>

#include "experiment/recording/compile.h"
#include "experiment/running/word_cost.h"
#include "fused/fuse.h"
#include "ops/needed.h"

namespace attend {
namespace {

Json to_json(const Cost& cost) {
  return {{"multiply_adds", cost.multiply_adds},
          {"exponentials", cost.exponentials},
          {"bytes", cost.bytes},
          {"exact", cost.exact}};
}

// By node of the program: the leaves that hold words.
std::vector<bool> words_in(const Compiled& compiled, const Program& program) {
  std::vector<bool> words(program.graph().size(), false);
  for (const Program::Leaf& one : program.leaves()) {
    const Leaf* const leaf = compiled.recording().leaf(one.name);
    if (leaf != nullptr && compiled.words().contains(leaf->node)) words[one.node] = true;
  }
  return words;
}

// What it costs to compute `wanted` if no map is requested.
Cost cost_alone(const Graph& graph, const std::vector<NodeId>& wanted,
                const std::vector<bool>& words) {
  const std::unique_ptr<Graph> alone = graph.copy();
  std::vector<Var> kept;
  for (const NodeId id : wanted) kept.push_back(alone->var(id));
  fused::fuse(*alone, kept);
  return cost_of(*alone, needed_for(*alone, wanted), words);
}

// What the modules of a model give, in their order; nothing where one of them is not known, and of
// a document with one mechanism.
std::vector<NodeId> model_results(const Directory& directory, const Directory& now) {
  std::vector<NodeId> nodes;
  for (std::size_t at = 0; at < directory.modules().size(); ++at) {
    const ModuleNode& module = directory.modules()[at];
    if (module.name.empty()) return {};
    const KnownTensor* main = directory.main_result(at, Directory::wired_alone);
    if (!module.parent.empty() || main == nullptr) continue;
    const KnownTensor* known = now.output(main->record->name);
    if (known == nullptr) return {};
    nodes.push_back(known->node);
  }
  return nodes;
}

}  // namespace

ResultCost result_cost(const Compiled& compiled, const Program& program) {
  const Graph& graph = program.graph();
  std::vector<NodeId> outputs;
  for (const KnownTensor& output : compiled.requested())
    outputs.push_back(program.find(output.record->key()));
  const std::vector<bool> words = words_in(compiled, program);
  ResultCost cost{cost_of(graph, needed_for(graph, outputs), words), {}, {}};
  const Directory &directory = compiled.directory(), &now = program.directory();
  if (const KnownTensor* main = directory.main_result(std::array{MainResult::context})) {
    if (const KnownTensor* known = now.output(main->record->name))
      cost.context = cost_alone(graph, {known->node}, words);
  }
  if (const auto model = model_results(directory, now); !model.empty())
    cost.model = cost_alone(graph, model, words);
  return cost;
}

Json to_json(const ResultCost& cost) {
  Json json = to_json(cost.outputs);
  if (cost.context) json["context"] = to_json(*cost.context);
  if (cost.model) json["model"] = to_json(*cost.model);
  return json;
}

}  // namespace attend
