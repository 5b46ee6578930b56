// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/editor.h"

#include <algorithm>
#include <utility>

#include "experiment/recording/readers.h"
#include "experiment/recording/selection.h"
#include "ops/error.h"
#include "ops/needed.h"
#include "ops/primitives.h"
#include "ops/scan.h"

namespace attend {

Var RecordingLog::recorded(Var var) {
  places_[{&var.graph(), var.id()}] = next_++;
  return var;
}

std::optional<std::size_t> RecordingLog::place_of(const Graph& graph, NodeId node) const {
  const auto found = places_.find({&graph, node});
  return found == places_.end() ? std::nullopt : std::optional(found->second);
}

Editor::Editor(const Compiled& clean, const RecordingLog& log,
               const std::vector<Intervention>& list)
    : clean_(clean), log_(log), list_(list) {
  for (std::size_t i = 0; i < list.size(); ++i) plan(i);
}

void Editor::plan(std::size_t intervention) {
  const Intervention& asked = list_[intervention];
  const Selection selection = select(clean_, asked);
  const std::vector<double> values = asked.kind == Intervention::Kind::patch
                                         ? std::vector<double>{}
                                         : values_for(selection, asked);
  std::map<std::size_t, std::size_t> place;  // by cell of the tensor, among those selected
  for (std::size_t i = 0; i < selection.cells.size(); ++i) place[selection.cells[i]] = i;
  std::vector<CellOrigin> origins = origins_of(clean_.graph(), selection.node);
  bool read = selection.leaf;
  for (CellOrigin& origin : origins) {
    std::vector<std::pair<std::size_t, std::size_t>> cells;
    for (const auto& [cell, at] : origin.cells) {
      const auto found = place.find(cell);
      if (found != place.end()) cells.emplace_back(found->second, at);
    }
    if (cells.empty()) continue;
    origin.cells = std::move(cells);
    const auto at = log_.place_of(*origin.graph, origin.node);
    if (!at)
      refuse(asked.path + "/of", "\"" + asked.of +
                                     "\" is assembled after the modules have run; "
                                     "name a tensor that a module computes");
    read = read || is_read(clean_, origin);
    std::string key = "interventions." + std::to_string(intervention) + ".";
    if (origins.size() > 1) key += std::to_string(edits_[*at].size() + *at) + ".";
    edits_[*at].push_back(
        {intervention, std::move(origin), values, selection.node, selection.cells, std::move(key)});
  }
  if (!read)
    warnings_.push_back(
        {asked.path + "/of", "No other result is computed from \"" + asked.of +
                                 "\": this intervention changes only that tensor."});
}

Var Editor::recorded(Var var) {
  const auto found = edits_.find(next_++);
  if (found == edits_.end()) return var;
  const Silence silence;
  ++applied_;
  Var changed = var;
  if (var.node().leaf) leaf_ = {found->second.front().origin.node, var};
  for (const Edit& edit : found->second) {
    const Node& clean = (*edit.origin.graph)[edit.origin.node];
    if (clean.primitive != var.node().primitive || clean.shape != var.shape())
      refuse(list_[edit.intervention].path + "/of",
             "an earlier intervention makes the module compute \"" + list_[edit.intervention].of +
                 "\" in a different way, so this one cannot be applied; remove one of them");
    const ErrorScope here(list_[edit.intervention].path, "");
    changed = apply(edit, changed);
  }
  // A named node keeps its name, because a second name would record a step that the clean recording does not have.
  if (!changed.node().name.empty()) changed = reshape(changed, changed.shape());
  return changed;
}

void Editor::check_all_applied() const {
  if (applied_ == edits_.size()) return;
  refuse("/interventions",
         "an earlier intervention makes a module leave out a tensor that a later intervention "
         "changes; remove one of the two");
}

namespace {

bool covers_all(const CellOrigin& origin) {
  return origin.cells.size() == element_count(origin.shape);
}

// What a step of a scan sees of rows, one for each step.
Var seen_by(Graph& graph, const CellOrigin& origin, const std::string& name, Var rows) {
  if (origin.body == nullptr) return rows;
  return recorder_of(graph)->row({"\\mathrm{" + name + "}_t", rows});
}

// Which cells change, as a formula says it: "\text{head } 2" where these are whole heads, or whole rows.
std::string symbol_of_cells(const Intervention& asked) {
  if (asked.heads.has_value() == asked.rows.has_value()) return "\\mathrm{cells}";
  const std::vector<std::size_t>& list = (asked.heads ? asked.heads : asked.rows)->list;
  std::string symbol = asked.heads ? "\\text{head" : "\\text{row";
  symbol += list.size() > 1 ? "s } " : " } ";
  for (std::size_t k = 0; k < list.size(); ++k)
    symbol += (k > 0 ? ", " : "") + std::to_string(list[k] + 1);
  return symbol;
}

}  // namespace

Var Editor::apply(const Edit& edit, Var var) {
  const Intervention& asked = list_[edit.intervention];
  const CellOrigin& origin = edit.origin;
  const std::size_t count = element_count(origin.shape);
  const bool whole = covers_all(origin), number = edit.values.size() == 1;
  const bool scales = asked.kind == Intervention::Kind::scale;
  Var value;
  if (asked.kind == Intervention::Kind::patch) {
    value = seen_by(var.graph(), origin, "patch", patched(edit));
  } else if (number && (whole || !scales)) {
    value = builder_->constant(edit.key + "value", {{}, edit.values});
  } else {
    Tensor tensor{origin.shape, std::vector<double>(count, scales ? 1 : 0)};
    for (const auto& [cell, at] : origin.cells) tensor.data[at] = edit.values[number ? 0 : cell];
    value = seen_by(var.graph(), origin, "value", builder_->constant(edit.key + "value", tensor));
  }
  if (scales) return var * value;
  if (whole) return broadcast_to(value, var.shape());
  Tensor cells{origin.shape, std::vector<double>(count, 0)};
  for (const auto& [cell, at] : origin.cells) cells.data[at] = 1;
  const Var chosen = builder_->constant(edit.key + "cells", cells, symbol_of_cells(asked));
  return where(seen_by(var.graph(), origin, "cells", chosen), value, var);
}

// The value that the tensor has elsewhere, laid out as the node is. No gradient goes into it.
Var Editor::patched(const Edit& edit) {
  const Var source = detach(adopted(list_[edit.intervention].example, edit.target));
  const CellOrigin& origin = edit.origin;
  const std::size_t count = element_count(origin.shape);
  Tensor index{{count}, std::vector<double>(count, 0)};
  bool in_place = covers_all(origin);
  for (const auto& [cell, at] : origin.cells) {
    index.data[at] = static_cast<double>(edit.cells[cell]);
    in_place = in_place && edit.cells[cell] == at;
  }
  if (in_place && count == element_count(source.shape()))
    return source.shape() == origin.shape ? source : reshape(source, origin.shape);
  const Var flat = reshape(source, {element_count(source.shape())});
  return reshape(take(flat, builder_->constant(edit.key + "order", index)), origin.shape);
}

// The node of the clean recording and all that it needs, recorded once more for an example.
Var Editor::adopted(std::optional<std::size_t> example, NodeId node) {
  Graph& graph = builder_->graph();
  std::map<NodeId, NodeId>& made = adopted_[example];
  const Graph& clean = clean_.graph();
  const std::vector<bool> needed = needed_for(clean, {node});
  for (NodeId id = 0; id <= node; ++id) {
    if (!needed[id] || made.contains(id)) continue;
    if (clean[id].leaf) {
      made[id] = adopted_leaf(example, id).id();
      continue;
    }
    std::vector<NodeId> inputs = clean[id].inputs;
    for (NodeId& input : inputs) input = made.at(input);
    Node copy = clean[id];
    copy.name.clear();  // its name is that of the changed tensor
    made[id] = graph.adopt(copy, std::move(inputs)).id();
  }
  return graph.var(made.at(node));
}

// A leaf's own numbers where examples share them, else those of the example.
Var Editor::adopted_leaf(std::optional<std::size_t> example, NodeId node) {
  const auto& program = clean_.program().leaves();
  const auto known = std::ranges::find(program, node, &Program::Leaf::node);
  if (known == program.end()) return builder_->graph().adopt(clean_.graph()[node], {});
  const Leaf* const leaf = clean_.recording().leaf(known->name);
  const LeafKind kind = known->kind;
  if (example && (kind == LeafKind::input || kind == LeafKind::noise)) {
    std::vector<real> numbers(element_count(leaf->shape));
    clean_.write_leaf(*leaf, numbers, *example);
    return builder_->constant("examples." + std::to_string(*example) + "." + leaf->key,
                              {leaf->shape, {numbers.begin(), numbers.end()}});
  }
  const auto same = std::ranges::find(builder_->leaves(), leaf->key, &Leaf::key);
  // The leaf that is being recorded is not among the builder's leaves yet.
  if (same == builder_->leaves().end() && leaf_ && leaf_->first == node) return leaf_->second;
  if (same == builder_->leaves().end())
    refuse("the value to take is computed from \"" + leaf->key +
           "\", which the program reads only later");
  return builder_->graph().var(same->node);
}

}  // namespace attend
