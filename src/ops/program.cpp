// SPDX-License-Identifier: Apache-2.0
#include "ops/program.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "ops/backward.h"
#include "ops/batching.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/rewrite.h"

namespace attend {
namespace {

// A leaf or result by its name, or nothing.
template <class List>
const NodeId* node_of(const List& list, std::string_view name) {
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const auto& one) { return one.name == name; });
  return found == list.end() ? nullptr : &found->node;
}

// The nodes of many names: Program::find would search its lists for each of them.
std::vector<NodeId> nodes_of(const Program& program, const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, NodeId> known;
  for (const Program::Result& result : program.results()) known.emplace(result.name, result.node);
  for (const Program::Leaf& leaf : program.leaves()) known.emplace(leaf.name, leaf.node);
  std::vector<NodeId> nodes;
  for (const std::string& name : names) {
    const auto found = known.find(name);
    nodes.push_back(found == known.end() ? program.find(name) : found->second);
  }
  return nodes;
}

}  // namespace

std::vector<Var> Program::wanted() const {
  std::vector<Var> list;
  for (const Result& result : results_) list.push_back(graph_->var(result.node));
  return list;
}

NodeId Program::find(std::string_view name) const {
  if (const NodeId* node = node_of(results_, name)) return *node;
  if (const NodeId* node = node_of(leaves_, name)) return *node;
  std::string names;
  for (const Result& result : results_) names += (names.empty() ? "" : ", ") + result.name;
  refuse("there is no result \"" + std::string(name) + "\"; there are " + names);
}

NodeId Program::leaf(std::string_view name) const {
  if (const NodeId* node = node_of(leaves_, name)) return *node;
  refuse("there is no leaf \"" + std::string(name) + "\"");
}

Program Program::with_results(std::vector<Result> results) const {
  return {graph_, leaves_, std::move(results), made_};
}

Program pruned(const Program& program, const std::vector<std::string>& names) {
  std::vector<Program::Result> results;
  std::vector<Var> wanted;
  const std::vector<NodeId> nodes = nodes_of(program, names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    results.push_back({names[i], nodes[i]});
    wanted.push_back(program.graph().var(nodes[i]));
  }
  const Program wanted_alone = program.with_results(std::move(results));
  Rewrite to(wanted_alone);
  to.copy_some(plan(program.graph(), wanted).needed);
  return to.program();
}

Program batched(const Program& program, std::size_t size) {
  const Passes& before = program.made();
  if (before.batch != 0) refuse("a program can be batched only once");
  if (before.gradient)
    refuse(
        "a program must be batched before its gradients are added, which are sums over the examples");
  if (before.fused != 0) refuse("a program must be batched before its attentions are fused");
  const Graph& old = program.graph();
  std::vector<bool> led(old.size(), false);
  for (const Program::Leaf& leaf : program.leaves())
    led[leaf.node] = leaf.kind == LeafKind::input || leaf.kind == LeafKind::noise;
  std::vector<NodeId> wanted;
  for (const Program::Result& result : program.results()) wanted.push_back(result.node);
  Rewrite to(program);
  const Batched nodes = batched(to.graph(), old, wanted, size, led);
  to.take(nodes.vars);
  for (const NodeId id : wanted) {
    if (nodes.led[id]) continue;
    Shape shape = nodes.vars[id].shape();
    shape.insert(shape.begin(), size);
    to.let_result(id, broadcast_to(nodes.vars[id], shape));  // the same for all examples
  }
  to.made = {.batch = size};
  return to.program();
}

std::string gradient_key(std::string_view by) { return "gradients." + std::string(by); }
std::string cotangent_key(std::string_view of) { return "cotangent." + std::string(of); }

Program with_gradient(const Program& program, const std::vector<std::string>& of,
                      const std::vector<std::string>& by) {
  Rewrite to(program);
  to.copy_whole();
  std::vector<Root> roots;
  for (const std::string& name : of) {
    const Var root = to.now(name);
    const Var cotangent = to.graph().number_leaf(root.shape(), 1);
    roots.push_back({root, to.add_leaf(cotangent_key(name), cotangent, LeafKind::constant)});
  }
  std::vector<Var> wrt;
  for (const NodeId node : nodes_of(program, by)) wrt.push_back(to.now(node));
  const std::vector<Var> found = gradients(roots, wrt);
  for (std::size_t i = 0; i < by.size(); ++i) to.add_result(gradient_key(by[i]), found[i]);
  to.made.gradient = true;
  return to.program();
}

Program with_gradient(const Program& program, const std::string& of,
                      const std::vector<std::string>& by) {
  return with_gradient(program, std::vector<std::string>{of}, by);
}

Workspace workspace_for(const Program& program, Keep keep) {
  return {program.shared_graph(), plan(program.graph(), program.wanted(), keep)};
}

void evaluate(const Program& program, const Leaves& leaves, Workspace& workspace) {
  for (std::size_t i = 0; i < leaves.size(); ++i) {
    if (leaves[i].data() != nullptr) workspace.set(program.leaves().at(i).node, leaves[i]);
  }
  workspace.evaluate();
}

}  // namespace attend
