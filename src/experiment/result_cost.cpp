// SPDX-License-Identifier: Apache-2.0
#include "experiment/result_cost.h"

#include <array>
#include <memory>
#include <vector>

#include "experiment/compile.h"
#include "experiment/result_group.h"
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

// What it takes to compute `wanted` where nobody asks for a map.
Cost cost_alone(const Graph& graph, const std::vector<NodeId>& wanted) {
  const std::unique_ptr<Graph> alone = graph.copy();
  std::vector<Var> kept;
  for (const NodeId id : wanted) kept.push_back(alone->var(id));
  fused::fuse(*alone, kept);
  return cost_of(*alone, needed_for(*alone, wanted));
}

// The node of an output in the program; of several examples it is known only where it is a result.
std::optional<NodeId> node_of(const Compiled& compiled, const Program& program,
                              const Output& output) {
  for (const Program::Result& result : program.results())
    if (result.name == output_key(output.name)) return result.node;
  if (compiled.examples() == 0) return output.var.id();
  return std::nullopt;
}

// What the modules of a model give, in their order; nothing where one of them is not known, and of
// a document with one mechanism.
std::vector<NodeId> model_results(const Compiled& compiled, const Program& program) {
  const Builder& builder = compiled.builder();
  std::vector<NodeId> nodes;
  for (std::size_t at = 0; at < builder.modules.size(); ++at) {
    const ModuleNode& module = builder.modules[at];
    if (module.name.empty()) return {};
    const Output* main = builder.main_result(at, Builder::wired_alone);
    if (!module.parent.empty() || main == nullptr) continue;
    const auto node = node_of(compiled, program, *main);
    if (!node) return {};
    nodes.push_back(*node);
  }
  return nodes;
}

}  // namespace

// The outputs that the document asks for are the first results.
ResultCost result_cost(const Compiled& compiled, const Program& program) {
  std::vector<NodeId> outputs;
  for (std::size_t i = 0; i < compiled.requested().size(); ++i)
    outputs.push_back(program.results()[i].node);
  const Graph& graph = program.graph();
  ResultCost cost{cost_of(graph, needed_for(graph, outputs)), {}, {}};
  if (const Output* main = compiled.builder().main_result(std::array{MainResult::context})) {
    const auto context = node_of(compiled, program, *main);
    if (context) cost.context = cost_alone(graph, {*context});
  }
  if (const auto model = model_results(compiled, program); !model.empty())
    cost.model = cost_alone(graph, model);
  return cost;
}

Json to_json(const ResultCost& cost) {
  Json json = to_json(cost.outputs);
  if (cost.context) json["context"] = to_json(*cost.context);
  if (cost.model) json["model"] = to_json(*cost.model);
  return json;
}

}  // namespace attend
