// SPDX-License-Identifier: Apache-2.0
// How the operands of one operation go together in a step: which axis is that of the rows, and which that of the keys.
#include <algorithm>

#include "ops/step_recorder.h"

namespace attend {
namespace {
using Kind = RowValue::Kind;

std::size_t from_back(std::size_t axis, std::size_t rank) { return rank - axis; }
}  // namespace

// Operands that broadcast. Rows of two axes make pairs: the axis in front is that of the queries, and the keys behind
// it are read from all rows so far.
void StepRecorder::align_rows(const Node& node, std::size_t last, Aligned& all) const {
  std::vector<std::size_t> rows;
  std::size_t keys = 0;
  for (const NodeId id : node.inputs) {
    const RowValue& own = value(id);
    if (own.kind == Kind::parts) refuse_node(node, StepReason::whole_scan);
    if (!own.depends()) continue;
    const std::size_t rank = this->node(id).shape.size(), row = from_back(own.row, rank),
                      key = from_back(own.key, rank);
    // Keys along an operand's own axis are read all at once: those behind the query must be known.
    const bool pairs = own.kind == Kind::pairs, own_keys = pairs && key <= last;
    if (own.kind == Kind::keys ? key <= last : row <= last || (own_keys && !own.beyond.known()))
      refuse_node(node, StepReason::needs_rows, called(id));
    if (own.kind != Kind::keys) rows.push_back(row);
    if ((pairs && !own_keys) || own.kind == Kind::keys) {
      // What is made of all rows is repeated along an axis that is none of keys.
      const bool repeated =
          this->node(id).shape[own.key] == 1 && node.shape[node.shape.size() - key] > 1;
      if (repeated && own.reach) refuse_node(node, StepReason::needs_rows, called(id));
      if (keys != 0 && keys != key) refuse_node(node, StepReason::unlike_maps);
      keys = key;
    }
    if (pairs && !own_keys) {
      if (all.axes.key != 0 && all.axes.row != row) refuse_node(node, StepReason::unlike_maps);
      all.axes = {row, key};
      all.lead = std::max(all.lead, own.lead);
    }
  }
  const auto [least, most] = std::minmax_element(rows.begin(), rows.end());
  if (all.axes.key == 0) {
    all.axes = {*most, keys != 0 ? keys : *least == *most ? 0 : *least};
    if (keys != 0 && *most <= keys) {
      const auto made = std::ranges::find_if(
          node.inputs, [&](NodeId id) { return value(id).kind == Kind::keys; });
      refuse_node(node, StepReason::needs_rows, called(*made));
    }
  }
}

// Maps whose keys are made of different rows go together where all but one kind of them are known to the end.
void StepRecorder::align_keys(const Node& node, std::size_t last, Aligned& all) const {
  if (all.axes.key == 0) return;
  bool found = false, needed = false;
  for (const NodeId id : node.inputs) {
    const RowValue& own = value(id);
    const std::size_t rank = this->node(id).shape.size();
    if (!own.depends()) continue;
    const bool row = own.kind == Kind::rows && from_back(own.row, rank) != all.axes.key;
    if (row || (own.kind == Kind::pairs && from_back(own.key, rank) <= last)) continue;
    const SharedReach reach = own.kind == Kind::rows ? nullptr : own.reach;
    const bool known = own.kind == Kind::pairs && own.beyond.known();
    const bool same =
        (!reach && !all.axes.reach) || (reach && all.axes.reach && *reach == *all.axes.reach);
    if (found && needed && !known && !same) refuse_node(node, StepReason::unlike_maps);
    if (!found || (!known && !needed) || (known && !needed && !reach)) all.axes.reach = reach;
    found = true;
    needed = needed || !known;
  }
}

StepRecorder::Aligned StepRecorder::aligned(const Node& node, std::size_t last) {
  Aligned all;
  align_rows(node, last, all);
  align_keys(node, last, all);
  const Axes& axes = all.axes;
  std::size_t extent = 0;  // of the axis of keys
  for (const NodeId id : node.inputs) {
    const Shape& shape = this->node(id).shape;
    if (value(id).depends() && axes.key <= shape.size() && axes.key != 0)
      extent = std::max(extent, shape[shape.size() - axes.key]);
  }
  for (const NodeId id : node.inputs) {
    const RowValue& own = value(id);
    const Shape& shape = this->node(id).shape;
    const std::size_t row = from_back(own.row, shape.size()),
                      key = from_back(own.key, shape.size());
    all.beyond.emplace_back();
    if (!own.depends()) {
      const bool has_rows = axes.row <= shape.size() &&
                            shape[shape.size() - axes.row] == made_.count && made_.count > 1;
      all.in.push_back(has_rows ? fixed_row(id, shape.size() - axes.row) : fixed(id));
      if (axes.key != 0)
        all.beyond.back() =
            beyond_of(shape, (*numbers_)[id], axes.row, {axes.key, extent, all.lead, axes.reach});
    } else if (own.kind != Kind::rows || row == axes.row) {
      all.in.push_back(own.var);
      if (own.kind == Kind::pairs && key <= last)
        all.beyond.back() = own.beyond;
      else if (key == axes.key && (own.kind == Kind::pairs || all.lead == 0))
        all.beyond.back() = seen_through(own.beyond, own.reach, axes.reach, extent - all.lead);
    } else if (row == axes.key && axes.row <= shape.size() && made_.count > 1 &&
               shape[shape.size() - axes.row] == made_.count) {
      const RowValue& map = as_map(id, shape.size() - axes.row);
      all.in.push_back(map.var);
      if (all.lead == 0) all.beyond.back() = seen_through(map.beyond, nullptr, axes.reach, extent);
    } else if (row == axes.key) {
      all.in.push_back(all_rows(id));
    } else {
      refuse_node(node, StepReason::third_axis, called(id));
    }
  }
  return all;
}

}  // namespace attend
