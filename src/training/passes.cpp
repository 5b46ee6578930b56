// SPDX-License-Identifier: Apache-2.0
#include "training/passes.h"

#include <algorithm>
#include <map>

#include "ops/compose.h"
#include "ops/error.h"

namespace attend {

Program with_dropout(const Program& program, const std::vector<std::string>& names) {
  const Graph& old = program.graph();
  std::map<NodeId, std::string> dropped;
  for (const std::string& name : names) dropped.emplace(program.find(name), name);
  auto graph = std::make_shared<Graph>();
  std::vector<NodeId> now(old.size(), 0),
      after(old.size(), 0);  // the node; what others read in its place
  std::vector<Program::Leaf> leaves, masks;
  for (NodeId id = 0; id < old.size(); ++id) {
    std::vector<NodeId> inputs = old[id].inputs;
    for (NodeId& input : inputs) input = after[input];
    const Var node = graph->adopt(old[id], std::move(inputs));
    now[id] = after[id] = node.id();
    const auto found = dropped.find(id);
    if (found == dropped.end()) continue;
    const Var mask = graph->leaf(node.shape(), "");
    masks.push_back({"dropout." + found->second, mask.id(), LeafKind::noise});
    after[id] = (node * mask).id();
  }
  for (const Program::Leaf& leaf : program.leaves())
    leaves.push_back({leaf.name, now[leaf.node], leaf.kind});
  leaves.insert(leaves.end(), masks.begin(), masks.end());
  std::vector<Program::Result> results = program.results();
  for (Program::Result& result : results) result.node = now[result.node];
  return {std::move(graph), std::move(leaves), std::move(results), program.made()};
}

Program with_guide(const Program& program, const std::string& loss, const std::string& map,
                   double weight) {
  constexpr double least = 1e-6;
  const std::shared_ptr<Graph> graph = program.graph().copy();
  Var looks = graph->var(program.find(map));
  while (looks.rank() > 3) looks = mean(looks, 1);
  const Var truth = graph->leaf(looks.shape(), "");
  const Var lacks = -sum(sum(truth * log(looks + least), -1), -1);  // [batch]
  const Var plain = graph->var(program.find(loss));
  const auto rows = static_cast<double>(looks.extent(-2));
  const Var guided = plain + reshape(lacks, plain.shape()) * (weight / rows);
  std::vector<Program::Leaf> leaves = program.leaves();
  leaves.push_back({"guide", truth.id(), LeafKind::input});
  std::vector<Program::Result> results = program.results();
  results.push_back({"guided", guided.id()});
  return {graph, std::move(leaves), std::move(results), program.made()};
}

Program with_reward(const Program& program, const std::vector<std::string>& maps) {
  const std::shared_ptr<Graph> graph = program.graph().copy();
  Var total;
  for (const std::string& name : maps) {
    const Var map = graph->var(program.find(name));
    const std::size_t batch = map.extent(0);
    const Var sums = sum(reshape(map, {batch, element_count(map.shape()) / batch}), -1);
    total = total ? total + sums : sums;
  }
  const Var reward = graph->leaf(total.shape(), "");
  const Var rewarded = total * reward;
  std::vector<Program::Leaf> leaves = program.leaves();
  leaves.push_back({"reward", reward.id(), LeafKind::input});
  std::vector<Program::Result> results = program.results();
  results.push_back({"rewarded", rewarded.id()});
  return {graph, std::move(leaves), std::move(results), program.made()};
}

}  // namespace attend
