// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "export/attention_chain.h"
#include "export/module.h"

namespace attend {

// The computation cut into the document's modules: each becomes a class, and what none of them computes stays in the
// whole model.
class ModuleGroups {
 public:
  explicit ModuleGroups(const ModuleListing& listing);

  static constexpr std::size_t nowhere = static_cast<std::size_t>(-1);
  // The model itself, behind the document's modules.
  [[nodiscard]] std::size_t root() const { return names_.size(); }
  [[nodiscard]] const std::string& name(std::size_t group) const { return names_[group]; }
  [[nodiscard]] std::size_t of(NodeId id) const { return group_[id]; }
  // Which class puts a value among the results: an input or a weight belongs to none, so the model gives it. The
  // model also gives a value that one module hands over and another one reads under its own name.
  [[nodiscard]] std::size_t giver_of(const ModuleListing::Result& result) const;
  // Whether a value is computed even if no maps are requested; and whether it is needed at all.
  [[nodiscard]] bool always(NodeId id) const { return always_[id]; }
  [[nodiscard]] bool needed(NodeId id) const { return uses_[id] >= 0; }
  [[nodiscard]] const std::vector<long>& uses() const { return uses_; }
  // Whether each group that reads the node writes it out by itself: a number.
  [[nodiscard]] bool is_number(NodeId id) const;
  // The module that a parameter's name begins with, and the model for all others.
  [[nodiscard]] std::size_t owner_of(const std::string& parameter) const;
  // The leaf of a node; null where it is none, or a number.
  [[nodiscard]] const ModuleListing::Leaf* leaf(NodeId id) const { return leaf_[id]; }
  // The attention that ends in this node, where its weights are needed for maps only; else null.
  [[nodiscard]] const AttentionChain* chain(NodeId id) const;
  // The steps of this chain that nothing else needs unless maps are asked for.
  [[nodiscard]] std::vector<NodeId> spelled_out(const AttentionChain& chain) const;
  [[nodiscard]] bool has_chain(std::size_t group) const;
  // Values that a group reads from outside, and values that it gives to others, in the order of the recording.
  [[nodiscard]] std::vector<NodeId> read_by(std::size_t group) const;
  [[nodiscard]] std::vector<NodeId> given_by(std::size_t group) const;
  [[nodiscard]] bool has_nodes(std::size_t group) const;

 private:
  void group_nodes();
  void find_chains();
  void find_always();
  void mark_always(const std::vector<NodeId>& wanted);
  [[nodiscard]] bool computed_inside(NodeId id) const;

  const ModuleListing& listing_;
  const Graph& graph_;
  std::vector<std::string> names_;
  std::vector<std::size_t> group_;
  std::vector<bool> always_;
  std::map<NodeId, AttentionChain> chains_;  // by their contexts
  std::vector<long> uses_;
  std::vector<const ModuleListing::Leaf*> leaf_;
};

}  // namespace attend
