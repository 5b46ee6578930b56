// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "experiment/reading/interventions.h"
#include "experiment/recording/compile.h"
#include "ops/origin.h"
#include "ops/recording.h"

namespace attend {

// Counts the nodes of a recording.
class RecordingLog : public RecordingListener {
 public:
  // How many nodes were recorded before this one; nothing for a node that no build recorded.
  [[nodiscard]] std::optional<std::size_t> place_of(const Graph& graph, NodeId node) const;

 protected:
  Var recorded(Var var) override;

 private:
  std::map<std::pair<const Graph*, NodeId>, std::size_t> places_;
  std::size_t next_ = 0;
};

// Applies a document's interventions while the document is recorded a second time. The first recording, without them,
// says which nodes compute the cells that an intervention names; the second records the change behind each of these
// nodes, and the build goes on with the changed tensor. Steps of scans, named steps, gradients, formulas and exported
// code therefore see the change as a part of the program.
class Editor : public RecordingListener {
 public:
  // Throws Error where an intervention does not fit. What is passed must outlive the editor.
  Editor(const Compiled& clean, const RecordingLog& log, const std::vector<Intervention>& list);

  // Who records the document, before it does.
  void edit(Builder& builder) { builder_ = &builder; }
  // Throws Error when a node did not come again.
  void check_all_applied() const;
  // Of interventions that change nothing but the tensor itself.
  [[nodiscard]] const std::vector<Warning>& warnings() const { return warnings_; }

 protected:
  Var recorded(Var var) override;

 private:
  // What one intervention does to one node.
  struct Edit {
    std::size_t intervention;
    CellOrigin origin;  // its cells: by place among the selected ones, the place in the node
    std::vector<double> values;  // by selected cell; one for all; none of a patch
    NodeId target = 0;           // the tensor that the intervention names, in the clean recording
    std::vector<std::size_t> cells;  // by selected cell: where it is in that tensor
    std::string key;                 // what the names of its constants begin with
  };

  void plan(std::size_t intervention);
  Var apply(const Edit& edit, Var var);
  Var patched(const Edit& edit);
  Var adopted(std::optional<std::size_t> example, NodeId node);
  Var adopted_leaf(std::optional<std::size_t> example, NodeId node);

  const Compiled& clean_;
  const RecordingLog& log_;
  const std::vector<Intervention>& list_;
  Builder* builder_ = nullptr;
  std::map<std::size_t, std::vector<Edit>> edits_;  // by the place of the node in the recording
  // By example, none being the one that runs: the copy of each node of the clean recording.
  std::map<std::optional<std::size_t>, std::map<NodeId, NodeId>> adopted_;
  std::optional<std::pair<NodeId, Var>>
      leaf_;  // the leaf being changed, by its id in the clean recording
  std::vector<Warning> warnings_;
  std::size_t next_ = 0, applied_ = 0;
};

}  // namespace attend
