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

// Results of these names, which are results or leaves of the program. Program::find would search its lists for each.
std::vector<Program::Result> results_named(const Program& program,
                                           const std::vector<std::string>& names) {
  std::unordered_map<std::string_view, Program::Result> known;
  for (const Program::Result& result : program.results()) known.emplace(result.name, result);
  for (const Program::Leaf& leaf : program.leaves())
    known.emplace(leaf.name, Program::Result{leaf.name, leaf.node, leaf.record});
  std::vector<Program::Result> results;
  for (const std::string& name : names) {
    const auto found = known.find(name);
    results.push_back(found == known.end() ? Program::Result{name, program.find(name)}
                                           : found->second);
  }
  return results;
}

// What is known of the gradient by a tensor.
Record gradient_record(const Program::Result& by) {
  if (by.record == nullptr) return nullptr;
  return as_record({.group = TensorGroup::gradients,
                    .name = by.name,
                    .recorded = by.record->recorded,
                    .axes = by.record->axes,
                    .role = TensorRole::gradient,
                    .module = by.record->module});
}

// Of several examples, a tensor has one axis more in front.
Record led_by_batch(const Record& record, const Shape& before) {
  if (record == nullptr || record->axes.size() != before.size() || before.empty()) return record;
  TensorRecord led = *record;
  led.axes.insert(led.axes.begin(), NamedAxis{"batch", AxisRole::batch});
  return as_record(std::move(led));
}

bool is_parameter(const Record& record) {
  return record != nullptr && record->group == TensorGroup::parameters;
}

}  // namespace

Program::Program(std::shared_ptr<const Graph> graph, std::vector<Leaf> leaves,
                 std::vector<Result> results, Passes made,
                 std::shared_ptr<const Directory> directory)
    : graph_(std::move(graph)),
      leaves_(std::move(leaves)),
      results_(std::move(results)),
      made_(made),
      directory_(std::move(directory)) {}

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
  return {graph_, leaves_, std::move(results), made_, directory_};
}

Program Program::with_leaves(std::vector<Leaf> leaves) const {
  return {graph_, std::move(leaves), results_, made_, directory_};
}

Program pruned(const Program& program, const std::vector<std::string>& names) {
  std::vector<Program::Result> results = results_named(program, names);
  std::vector<Var> wanted;
  for (const Program::Result& result : results) wanted.push_back(program.graph().var(result.node));
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
        "a program must be batched before its gradients are added, because gradients are sums over the examples");
  if (before.fused != 0) refuse("a program must be batched before its attentions are fused");
  const Graph& old = program.graph();
  std::vector<bool> led(old.size(), false);
  for (const Program::Leaf& leaf : program.leaves())
    led[leaf.node] = leaf.kind == LeafKind::input || leaf.kind == LeafKind::noise;
  // A parameter that is no draw is one for all examples.
  const auto is_shared = [&](const Program::Result& result) {
    return is_parameter(result.record) && !led[result.node];
  };
  std::vector<NodeId> wanted;
  std::vector<Program::Result> results = program.results();
  for (Program::Result& result : results) {
    wanted.push_back(result.node);
    if (!is_shared(result)) result.record = led_by_batch(result.record, old[result.node].shape);
  }
  std::vector<Program::Leaf> leaves = program.leaves();
  for (Program::Leaf& leaf : leaves)
    if (led[leaf.node]) leaf.record = led_by_batch(leaf.record, old[leaf.node].shape);
  const Program described = program.with_results(std::move(results)).with_leaves(std::move(leaves));
  Rewrite to(described);
  const Batched nodes = batched(to.graph(), old, wanted, size, led);
  to.take(nodes.vars);
  for (const Program::Result& result : program.results()) {
    const NodeId id = result.node;
    if (nodes.led[id] || is_shared(result)) continue;
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
  const std::vector<Program::Result> by_these = results_named(program, by);
  std::vector<Var> wrt;
  for (const Program::Result& one : by_these) wrt.push_back(to.now(one.node));
  const std::vector<Var> found = gradients(roots, wrt);
  for (std::size_t i = 0; i < by_these.size(); ++i)
    to.add_result(gradient_key(by_these[i].name), found[i], gradient_record(by_these[i]));
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
