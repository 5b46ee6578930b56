// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ops/row_axes.h"
#include "ops/step_refusal.h"
#include "ops/stepwise.h"

namespace attend {

// Records the step of a program, node by node.
class StepRecorder {
 public:
  // `fixed` has the numbers of the nodes that depend on no row and that others read.
  StepRecorder(const Program& program, const std::vector<NodeId>& rows, std::vector<bool> depends,
               std::shared_ptr<const Workspace> fixed);

  void record(NodeId id);
  StepProgram finish(const Program& program, bool with_reads);

 private:
  using Values = std::vector<RowValue>;

  // Where rows and keys lie in a result, counted from its end; no key: 0.
  struct Axes {
    std::size_t row = 0, key = 0;
    SharedReach reach = {};
  };
  // What of a node's operands the step reads, so that they go together right-aligned.
  struct Aligned {
    Axes axes;
    std::size_t lead = 0;  // of the maps among them
    std::vector<Var> in;
    std::vector<Beyond> beyond;
  };

  [[nodiscard]] const Node& node(NodeId id) const { return old_[id]; }
  [[nodiscard]] const RowValue& value(NodeId id) const { return values_[id]; }
  [[nodiscard]] RowValue result(const Node& node, Var var, const Axes& axes,
                                const Beyond& beyond = {}) const;
  [[noreturn]] void refuse_node(const Node& node, StepReason why,
                                const std::string& what = "") const;
  [[nodiscard]] std::string called(NodeId id) const;

  // A tensor that depends on no row: all of it, or the step's row along an axis.
  Var fixed(NodeId id);
  Var fixed_row(NodeId id, std::size_t axis);
  // All rows so far, those behind the step's own being any numbers.
  Var all_rows(NodeId id);
  Var all_rows_of_view(const Node& node);
  Var kept_rows(NodeId id);
  Var place(std::size_t axes_behind);

  // `shared`: how many of the last axes are a matter of each operand alone.
  Aligned aligned(const Node& node, std::size_t shared_from_end = 0);
  void align_rows(const Node& node, std::size_t last, Aligned& all) const;
  void align_keys(const Node& node, std::size_t last, Aligned& all) const;
  // A tensor with rows as a map with these queries: the step's row of it, for all keys so far. A fixed table that its
  // rows meet has the axis of queries.
  const RowValue& as_map(NodeId id, std::size_t queries);
  RowValue map_by_cells(const Node& node, std::size_t queries);
  RowValue by_cells(const Node& node);
  RowValue by_last_axis(const Node& node);
  RowValue by_axis(const Node& node);
  RowValue running_sum(const Node& node);
  RowValue product(const Node& node);
  RowValue distances(const Node& node);
  RowValue solved(const Node& node);
  RowValue listed(const Node& node);
  RowValue reshaped(const Node& node);
  RowValue permuted(const Node& node);
  RowValue broadcast(const Node& node);
  RowValue sliced(const Node& node);
  RowValue part_of_scan(const Node& node);
  RowValue joined(const Node& node);
  // Of keys alone, and where they meet rows.
  RowValue of_keys(const Node& node);
  RowValue product_of_keys(const Node& node);
  RowValue reduced_keys(const Node& node);
  RowValue product_with_keys(const Node& node);
  RowValue joined_rows(const Node& node, std::size_t axis);
  RowValue joined_maps(const Node& node, std::size_t axis);
  RowValue taken(const Node& node);
  SharedReach listed_reach(const Node& node) const;
  // What is known of the columns of rows that are computed cell by cell.
  void find_columns(const Node& node, RowValue& out) const;
  // Fixed columns in front of keys, and the keys without them.
  RowValue with_lead(const Node& node);
  RowValue without_lead(const Node& node);
  // Rows behind fixed ones, and the rows of an earlier step.
  [[nodiscard]] bool are_behind_fixed_rows(const Node& node, std::size_t axis) const;
  RowValue behind_fixed_rows(const Node& node, std::size_t axis);
  RowValue rows_by_place(const Node& node, std::size_t axis);
  RowValue settled(const Node& node, RowValue shifted);
  Var rows_before(const RowValue& shifted);
  RowValue scanned(const Node& node);

  const Graph& old_;
  const Directory& directory_;
  std::vector<bool> depends_;
  std::shared_ptr<const Workspace> numbers_;
  std::shared_ptr<Graph> graph_;
  Values values_;
  StepProgram made_;
  std::map<NodeId, Var> fixed_, all_;
  std::map<std::pair<NodeId, std::size_t>, Var> fixed_rows_;
  std::map<std::size_t, Var> places_;
  std::map<std::pair<NodeId, NodeId>, std::vector<Var>>
      delayed_;               // by rows and the fixed ones in front
  std::vector<bool> by_row_;  // nodes whose rows are computed from the same rows of their operands
};

}  // namespace attend
