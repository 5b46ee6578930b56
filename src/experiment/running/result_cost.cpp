// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/result_cost.h"

#include <array>
#include <memory>
#include <vector>

#include "experiment/recording/compile.h"
#include "fused/fuse.h"
#include "ops/needed.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"

namespace attend {
namespace {

Json to_json(const Cost& cost) {
  return {{"multiply_adds", cost.multiply_adds},
          {"exponentials", cost.exponentials},
          {"bytes", cost.bytes},
          {"exact", cost.exact}};
}

// The counts of a graph in which some leaves hold one word a row, as a 1 among zeros. A product of such rows with a
// table picks rows of it: nothing is multiplied, and no other row is read.
class Counter {
 public:
  Counter(const Graph& graph, std::vector<bool> words) : graph_(graph), words_(std::move(words)) {
    words_.resize(graph.size(), false);
    for (NodeId id = 0; id < graph.size(); ++id) {
      const Node& node = graph[id];
      const bool moves = node.primitive == &primitives::reshape ||
                         (node.primitive == &primitives::slice && node.attributes[0] != -1);
      if (!node.leaf && moves && words_[node.inputs[0]])
        words_[id] = node.shape.back() == graph[node.inputs[0]].shape.back();
    }
  }

  [[nodiscard]] Cost of(NodeId id) const {
    const Node& node = graph_[id];
    if (node.leaf) return {};
    if (const auto& body = node.attributes.body) return of_scan(node, *body);
    const bool looked_up = node.primitive == &primitives::matmul && words_[node.inputs[0]] &&
                           node.attributes == Attributes{{0, 0}};
    if (!looked_up) return cost_of(graph_, id);
    return {.bytes = 2 * std::uint64_t{element_count(node.shape)} * sizeof(real)};
  }

  [[nodiscard]] Cost of(const std::vector<bool>& needed) const {
    Cost sum;
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (needed[id]) sum += of(id);
    }
    return sum;
  }

 private:
  // A step reads words in a row of the scan's operands, or from outside.
  [[nodiscard]] Cost of_scan(const Node& scan, const ScanBody& body) const {
    std::vector<bool> words(body.graph->size(), false);
    const std::size_t first = body.states.size(), rows = body.rows.size();
    for (std::size_t k = 0; k < rows; ++k) words[body.rows[k]] = words_[scan.inputs[first + k]];
    for (std::size_t k = 0; k < body.captured.size(); ++k)
      words[body.captured[k]] = words_[scan.inputs[first + rows + k]];
    const Counter step(*body.graph, std::move(words));
    Cost once, each;
    for (const NodeId id : body.plan.once) once += step.of(id);
    for (const NodeId id : body.plan.each) each += step.of(id);
    return once += times(each, body.count);
  }

  const Graph& graph_;
  std::vector<bool> words_;
};

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
  return Counter(*alone, words).of(needed_for(*alone, wanted));
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
  ResultCost cost{Counter(graph, words).of(needed_for(graph, outputs)), {}, {}};
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
