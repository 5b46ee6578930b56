// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "ops/program.h"

namespace attend {

// How a pass makes a program of another one. It says what becomes of the nodes; the leaves, the results, the directory
// and the list of passes come along.
//
//   Rewrite to(program);
//   to.copy([&](const Node& node, const std::vector<NodeId>& inputs) { return is_old(node) ? .. : Var{}; });
//   return to.program();
class Rewrite {
 public:
  // The new node of an old one, recorded in `graph()`; `inputs` are its operands there. Empty: the same
  // operation on them.
  using Rule = std::function<Var(const Node& node, const std::vector<NodeId>& inputs)>;

  // The old program must outlive it.
  explicit Rewrite(const Program& program);

  // Goes through the nodes in their order. The same operation has the same intent.
  void copy(const Rule& rule = {});
  // The same for the marked ones alone. Leaves that are left out are no leaves of the new program.
  void copy_some(const std::vector<bool>& marked, const Rule& rule = {});
  // All nodes with their ids, to replace some in place or to add others.
  void copy_whole();

  [[nodiscard]] Graph& graph() { return *graph_; }
  // The new node of an old one, or of the leaf or the result of a name.
  [[nodiscard]] Var now(NodeId old) const { return graph_->var(now_[old]); }
  [[nodiscard]] Var now(const std::string& name) const { return now(old_.find(name)); }
  // The same operation as an old node's.
  Var same(const Node& node, const std::vector<NodeId>& inputs) {
    return graph_->adopt(node, inputs);
  }
  // Nodes that come after an old one read `other` in its place; the program's leaves and results stay with the node.
  void let_read(NodeId old, Var other);
  // An old node that is not copied becomes `other`.
  void let_be(NodeId old, Var other);
  // The results at an old node are `other`; a leaf there stays with the node.
  void let_result(NodeId old, Var other) { result_[old] = other.id(); }
  // What was recorded in `graph()` as a whole: each old node's, empty where it has none.
  void take(const std::vector<Var>& vars);

  // A leaf of `graph()` becomes one of the program, behind those that it has; gives it back.
  Var add_leaf(std::string name, Var leaf, LeafKind kind);
  void add_result(std::string name, Var result, Record record = {});

  // The new program. Results whose node has no more place are left out.
  [[nodiscard]] Program program();

  Passes made;  // those of the old program, unless the pass adds its own

 private:
  [[nodiscard]] std::shared_ptr<const Directory> directory() const;

  const Program& old_;
  std::shared_ptr<Graph> graph_;
  std::vector<NodeId> now_, read_;   // by the old id: the node, and what is read in its place
  std::map<NodeId, NodeId> result_;  // by the old id, where a result is not what is there now
  std::vector<bool> kept_;
  bool whole_ = false;  // all nodes have their old ids
  std::vector<Program::Leaf> more_leaves_;
  std::vector<Program::Result> more_results_;
};

}  // namespace attend
