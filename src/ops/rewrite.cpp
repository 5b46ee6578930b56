// SPDX-License-Identifier: Apache-2.0
#include "ops/rewrite.h"

#include <numeric>
#include <stdexcept>
#include <utility>

#include "ops/intent.h"

namespace attend {

Rewrite::Rewrite(const Program& program)
    : made(program.made()),
      old_(program),
      graph_(std::make_shared<Graph>()),
      now_(program.graph().size(), 0),
      read_(program.graph().size(), 0),
      kept_(program.graph().size(), false) {
  graph_->hold_with(program.graph());
}

void Rewrite::copy(const Rule& rule) {
  copy_some(std::vector<bool>(old_.graph().size(), true), rule);
}

void Rewrite::copy_some(const std::vector<bool>& marked, const Rule& rule) {
  const Graph& old = old_.graph();
  for (NodeId id = 0; id < old.size(); ++id) {
    if (!marked[id]) continue;
    std::vector<NodeId> inputs = old[id].inputs;
    bool all = true;
    for (NodeId& input : inputs) {
      all = all && kept_[input];
      input = read_[input];
    }
    Var var = rule ? rule(old[id], inputs) : Var{};
    if (!var) {
      // Otherwise it would read the first node of the graph.
      if (!all) throw std::logic_error("a pass copies a node before what it reads");
      var = graph_->adopt(old[id], std::move(inputs));
      carry_intent(old[id], var, [this](NodeId operand) {
        return kept_[operand] ? graph_->var(read_[operand]) : Var{};
      });
    }
    now_[id] = var.id();
    if (!kept_[id]) read_[id] = var.id();  // a rule may have said otherwise
    kept_[id] = true;
  }
}

void Rewrite::copy_whole() {
  graph_ = old_.graph().copy();
  std::iota(now_.begin(), now_.end(), NodeId{0});
  read_ = now_;
  kept_.assign(kept_.size(), true);
  whole_ = true;
}

void Rewrite::let_read(NodeId old, Var other) {
  read_[old] = other.id();
  kept_[old] = true;
}

void Rewrite::let_be(NodeId old, Var other) {
  now_[old] = other.id();
  let_read(old, other);
}

void Rewrite::take(const std::vector<Var>& vars) {
  for (NodeId id = 0; id < vars.size(); ++id) {
    kept_[id] = static_cast<bool>(vars[id]);
    if (vars[id]) now_[id] = read_[id] = vars[id].id();
  }
}

Var Rewrite::add_leaf(std::string name, Var leaf, LeafKind kind) {
  more_leaves_.push_back({std::move(name), leaf.id(), kind});
  return leaf;
}

void Rewrite::add_result(std::string name, Var result, Record record) {
  more_results_.push_back({std::move(name), result.id(), std::move(record)});
}

std::shared_ptr<const Directory> Rewrite::directory() const {
  if (whole_) return old_.shared_directory();
  auto now = std::make_shared<Directory>();
  now->set_modules(old_.directory().shared_modules());
  for (const TensorGroup group : {TensorGroup::inputs, TensorGroup::outputs, TensorGroup::steps,
                                  TensorGroup::parameters, TensorGroup::gradients}) {
    for (const KnownTensor& known : old_.directory().of(group))
      if (kept_[known.node]) now->add(known.record, now_[known.node]);
  }
  return now;
}

Program Rewrite::program() {
  std::vector<Program::Leaf> leaves;
  for (Program::Leaf leaf : old_.leaves()) {
    if (!kept_[leaf.node]) continue;
    leaf.node = now_[leaf.node];
    leaves.push_back(std::move(leaf));
  }
  std::vector<Program::Result> results;
  for (Program::Result result : old_.results()) {
    if (!kept_[result.node]) continue;
    const auto other = result_.find(result.node);
    result.node = other == result_.end() ? now_[result.node] : other->second;
    results.push_back(std::move(result));
  }
  leaves.insert(leaves.end(), more_leaves_.begin(), more_leaves_.end());
  results.insert(results.end(), more_results_.begin(), more_results_.end());
  return {std::move(graph_), std::move(leaves), std::move(results), made, directory()};
}

}  // namespace attend
