// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "ops/plan.h"
#include "ops/primitive.h"
#include "ops/values.h"

namespace attend {

// The memory of one computation, planned once, and its steps with their operands in place. After
// the first evaluation nothing is allocated, except what the algebra of an inverse needs. Only what
// depends on a changed leaf is computed.
class Workspace {
 public:
  // Refers to the graph, which must live as long, or is held. Throws std::bad_alloc.
  Workspace(const Graph& graph, const Plan& plan);
  Workspace(std::shared_ptr<const Graph> graph, const Plan& plan);

  // The memory of a leaf, to write its numbers into; empty when nothing needs it. `write` counts
  // as a change, `set` only where the numbers are others. A leaf whose numbers lie elsewhere gets
  // memory of its own with the first change.
  std::span<real> write(NodeId leaf);
  void set(NodeId leaf, Numbers numbers);

  // Throws Error when a primitive refuses its operands' values (a singular matrix); then the next
  // evaluation computes everything. `progress` hears how far it is.
  void evaluate(Progress* progress = nullptr);
  // The same in slices: computes step by step until `enough` holds, which is asked between two steps or two parts of a
  // long one, and returns whether everything is done. The next call continues, or begins again where a leaf was
  // written since. The numbers of nodes may be read only when everything is done.
  bool evaluate_some(const std::function<bool()>& enough, Progress* progress = nullptr);

  // The numbers of a node that are kept.
  [[nodiscard]] Numbers operator[](NodeId node) const;
  [[nodiscard]] bool holds(NodeId node) const { return node < kept_.size() && kept_[node]; }
  // All that are kept, for whoever holds this workspace, or `holder`, as long.
  [[nodiscard]] Values values(std::shared_ptr<const void> holder) const;
  // Where the numbers of a node lie as a file has them; null where they do not, or were converted.
  [[nodiscard]] StoredNumbers stored(NodeId node) const;
  [[nodiscard]] std::size_t bytes() const { return count_ * sizeof(real); }
  // How many operations the last evaluation carried out.
  [[nodiscard]] std::size_t computed() const { return computed_; }
  // How many evaluations were done to the end, and whether a node depends on a leaf that was written
  // for one of those after the first `count`.
  [[nodiscard]] std::size_t evaluations() const { return evaluations_; }
  [[nodiscard]] bool changed_after(NodeId node, std::size_t count) const {
    return node < latest_.size() && latest_[node] > count;
  }

 private:
  struct Step {
    NodeId node;
    void (*run)(const Forward& forward);
    Forward forward;
    std::size_t parts = 1;
    std::shared_ptr<void> kept = nullptr;  // what the primitive keeps between evaluations
  };
  void prepare(const Plan& plan);
  void prepare_leaf(NodeId leaf);
  void prepare_step(NodeId node, kernels::Terms terms);
  [[nodiscard]] bool is_read_converted(NodeId leaf) const;
  [[nodiscard]] const real* converted(NodeId leaf) const;
  void move_here(NodeId leaf);
  void mark_what_changed();
  void mark_what_that_needs();
  void begin(Progress* progress);
  void end();

  std::shared_ptr<const Graph> holder_;
  const Graph& graph_;
  std::vector<bool> needed_, kept_;
  std::vector<NodeId> home_;
  std::vector<std::size_t> offset_;
  std::vector<const real*> place_;  // by node: its numbers; null: they lie as a file has them
  mutable std::map<NodeId, std::shared_ptr<const real>>
      converted_;                                    // of such leaves, once somebody asked
  std::map<NodeId, std::unique_ptr<real[]>> moved_;  // of leaves whose numbers lay elsewhere
  std::size_t count_;
  std::unique_ptr<std::byte[]> block_;
  real* first_;  // of the block, on a cache line
  std::vector<Step> steps_;
  std::vector<NodeId> leaves_;
  std::vector<bool> changed_;  // by node: its numbers are not those of the last evaluation
  std::vector<bool> missing_;  // by node: has to be computed
  // Leaves that were written since the last evaluation, and before it. If they are the same, so is what they change.
  std::vector<NodeId> written_, written_before_;
  bool marked_ = false;     // `changed_` and `missing_` follow from `written_before_`
  bool whole_ = false;      // an evaluation went through
  bool under_way_ = false;  // an evaluation was begun, and no leaf was written since
  std::size_t next_ = 0;    // the step at which it continues
  std::size_t part_ = 0;    // of that step
  std::size_t computed_ = 0;
  std::size_t evaluations_ = 0;
  std::vector<std::size_t> latest_;  // by node: the last evaluation that changed it
};

}  // namespace attend
