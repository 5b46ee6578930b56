// SPDX-License-Identifier: Apache-2.0
#include "export/module_groups.h"

#include <algorithm>
#include <map>

#include "export/needed.h"
#include "ops/primitives/records.h"

namespace attend {

ModuleGroups::ModuleGroups(const ModuleListing& listing)
    : listing_(listing),
      graph_(listing.graph.graph()),
      group_(graph_.size(), nowhere),
      leaf_(graph_.size(), nullptr) {
  std::vector<NodeId> results;
  for (const ModuleListing::Result& result : listing.results) results.push_back(result.node);
  uses_ = uses_of(graph_, results);
  for (const NodeId result : results) ++uses_[result];
  for (const ModuleListing::Leaf& leaf : listing.leaves) leaf_[leaf.node] = &leaf;
  // One function takes all steps where there are no classes, and NumPy has no fused attention.
  const bool torch = listing.library == ModuleListing::Library::torch;
  const bool several = torch && !listing.modules.empty() && !listing.modules.front().name.empty();
  for (std::size_t k = 0; several && k < listing.modules.size(); ++k) {
    if (listing.modules[k].parent == k && !listing.modules[k].name.empty())
      names_.push_back(listing.modules[k].name);
  }
  group_nodes();
  if (torch) find_chains();
  find_always();
}

// All its steps are of one class. Those whose weights are needed anyway gain nothing.
void ModuleGroups::find_chains() {
  for (NodeId id = 0; id < graph_.size(); ++id) {
    if (uses_[id] < 0 || leaf_[id] != nullptr) continue;
    std::optional<AttentionChain> chain = attention_ending_in(graph_, id);
    if (!chain) continue;
    chain->causal = chain->mask && !chain->bias && listing_.causal.contains(*chain->mask);
    const bool together = std::all_of(chain->steps.begin(), chain->steps.end(),
                                      [&](NodeId step) { return group_[step] == group_[id]; });
    if (together) chains_.emplace(id, std::move(*chain));
  }
  for (bool changed = true; changed;) {
    find_always();
    changed = std::erase_if(chains_, [&](const auto& one) {
                const auto& steps = one.second.steps;
                return std::any_of(steps.begin(), steps.end(),
                                   [&](NodeId step) { return always_[step]; });
              }) > 0;
  }
}

const AttentionChain* ModuleGroups::chain(NodeId id) const {
  const auto found = chains_.find(id);
  return found == chains_.end() ? nullptr : &found->second;
}

bool ModuleGroups::has_chain(std::size_t group) const {
  return std::any_of(chains_.begin(), chains_.end(),
                     [&](const auto& one) { return group_[one.first] == group; });
}

std::vector<NodeId> ModuleGroups::spelled_out(const AttentionChain& chain) const {
  std::vector<bool> behind(graph_.size(), false);
  behind[chain.context] = true;
  std::vector<NodeId> list;
  for (NodeId id = chain.context + 1; id-- > 0;) {
    if (!behind[id] || (always_[id] && id != chain.context)) continue;
    if (id != chain.context) list.push_back(id);
    for (const NodeId input : graph_[id].inputs) behind[input] = true;
  }
  std::reverse(list.begin(), list.end());
  return list;
}

void ModuleGroups::mark_always(const std::vector<NodeId>& wanted) {
  always_.assign(graph_.size(), false);
  for (const NodeId id : wanted) always_[id] = true;
  for (NodeId id = static_cast<NodeId>(graph_.size()); id-- > 0;) {
    if (!always_[id]) continue;
    const AttentionChain* attention = chain(id);
    for (const NodeId input : attention != nullptr ? attention->operands() : graph_[id].inputs)
      always_[input] = true;
  }
}

bool ModuleGroups::is_number(NodeId id) const {
  const Node& node = graph_[id];
  return node.primitive == &primitives::fill && node.shape.empty();
}

// Words, inputs and weights are handed to the module that reads them; all else is made where it is first read.
bool ModuleGroups::computed_inside(NodeId id) const {
  const ModuleListing::Leaf* leaf = leaf_[id];
  return leaf == nullptr || leaf->kind == ModuleListing::Leaf::Kind::noise ||
         leaf->kind == ModuleListing::Leaf::Kind::dropout ||
         leaf->kind == ModuleListing::Leaf::Kind::constant;
}

// A node belongs to the module that recorded it, or to a later one whose values it reads.
void ModuleGroups::group_nodes() {
  std::map<std::string, std::size_t> places;
  for (std::size_t k = 0; k < names_.size(); ++k) places[names_[k]] = k;
  const auto own_group = [&](const Node& node) {
    std::size_t at = node.module;
    if (names_.empty()) return root();
    // What no module recorded, such as the sum of all losses, belongs to the last module that it reads.
    if (at >= listing_.modules.size()) return std::size_t{0};
    while (listing_.modules[at].parent != at) at = listing_.modules[at].parent;
    return places.at(listing_.modules[at].name);
  };
  const auto moved_behind_inputs = [&](const Node& node, std::size_t group) {
    for (const NodeId input : node.inputs) {
      if (group_[input] != nowhere && !is_number(input)) group = std::max(group, group_[input]);
    }
    return group;
  };
  for (NodeId id = 0; id < graph_.size(); ++id) {
    const Node& node = graph_[id];
    if (leaf_[id] != nullptr || is_number(id)) continue;
    const bool of_scan =
        !node.inputs.empty() && (graph_[node.inputs[0]].primitive == &primitives::scan ||
                                 (node.primitive == &primitives::reshape &&
                                  graph_[node.inputs[0]].primitive == &primitives::slice));
    group_[id] = of_scan && group_[node.inputs[0]] != nowhere
                     ? group_[node.inputs[0]]
                     : moved_behind_inputs(node, own_group(node));
  }
  for (NodeId id = 0; id < graph_.size(); ++id) {
    for (const NodeId input : graph_[id].inputs) {
      if (leaf_[input] != nullptr && computed_inside(input) && uses_[id] >= 0)
        group_[input] = std::min(group_[input], group_[id]);
    }
  }
}

void ModuleGroups::find_always() {
  std::vector<NodeId> wanted;
  for (const ModuleListing::Result& result : listing_.results)
    if (!result.map) wanted.push_back(result.node);
  if (wanted.empty())
    for (const ModuleListing::Result& result : listing_.results) wanted.push_back(result.node);
  for (bool changed = true; changed;) {
    mark_always(wanted);
    changed = false;
    // What another module reads is handed over, whether maps are asked for or not.
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (uses_[id] < 0) continue;
      for (const NodeId input : graph_[id].inputs) {
        const bool crosses = group_[input] != nowhere && group_[input] != group_[id];
        if (!crosses || always_[input] || is_number(input)) continue;
        wanted.push_back(input);
        changed = true;
      }
    }
  }
}

std::size_t ModuleGroups::owner_of(const std::string& parameter) const {
  const std::string first = parameter.substr(0, parameter.find('.'));
  const auto found = std::find(names_.begin(), names_.end(), first);
  if (found == names_.end() || first == parameter) return root();
  return static_cast<std::size_t>(found - names_.begin());
}

std::vector<NodeId> ModuleGroups::read_by(std::size_t group) const {
  std::vector<bool> read(graph_.size(), false);
  for (NodeId id = 0; id < graph_.size(); ++id) {
    if (uses_[id] < 0 || group_[id] != group) continue;
    for (const NodeId input : graph_[id].inputs) {
      if (is_number(input) || group_[input] == group) continue;
      const bool own = leaf_[input] != nullptr &&
                       leaf_[input]->kind == ModuleListing::Leaf::Kind::weight &&
                       owner_of(leaf_[input]->name) == group;
      read[input] = read[input] || !own;
    }
  }
  std::vector<NodeId> list;
  for (NodeId id = 0; id < graph_.size(); ++id)
    if (read[id]) list.push_back(id);
  return list;
}

std::vector<NodeId> ModuleGroups::given_by(std::size_t group) const {
  std::vector<bool> given(graph_.size(), false);
  for (NodeId id = 0; id < graph_.size(); ++id) {
    if (uses_[id] < 0 || group_[id] == group) continue;
    for (const NodeId input : graph_[id].inputs)
      given[input] = given[input] || (group_[input] == group && !is_number(input));
  }
  for (const ModuleListing::Result& result : listing_.results) {
    if (always_[result.node] && group_[result.node] == group && !result.map)
      given[result.node] = true;
  }
  std::vector<NodeId> list;
  for (NodeId id = 0; id < graph_.size(); ++id)
    if (given[id]) list.push_back(id);
  return list;
}

std::size_t ModuleGroups::giver_of(const ModuleListing::Result& result) const {
  const std::size_t group = group_[result.node], named_by = owner_of(result.name);
  if (group == nowhere) return root();
  if (named_by == group || named_by == root()) return group;
  const std::vector<NodeId> given = given_by(group);
  return std::find(given.begin(), given.end(), result.node) == given.end() ? group : root();
}

bool ModuleGroups::has_nodes(std::size_t group) const {
  for (NodeId id = 0; id < graph_.size(); ++id)
    if (uses_[id] >= 0 && group_[id] == group) return true;
  return false;
}

}  // namespace attend
