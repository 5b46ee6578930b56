// SPDX-License-Identifier: Apache-2.0
#include "ops/step_recorder.h"

#include <algorithm>
#include <utility>

#include "ops/compose.h"
#include "ops/error.h"
#include "ops/keep_row.h"
#include "ops/module_places.h"
#include "ops/primitive.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {
namespace p = primitives;
using Kind = RowValue::Kind;
}  // namespace

StepRecorder::StepRecorder(const Program& program, const std::vector<NodeId>& rows,
                           std::vector<bool> depends, std::shared_ptr<const Workspace> fixed)
    : old_(program.graph()),
      directory_(program.directory()),
      depends_(std::move(depends)),
      numbers_(std::move(fixed)),
      graph_(std::make_shared<Graph>()),
      values_(old_.size()),
      by_row_(old_.size(), false) {
  made_.count = node(rows.front()).shape.front();
  for (const NodeId id : rows) {
    Shape shape = node(id).shape;
    if (shape.empty() || shape.front() != made_.count)
      refuse("the inputs that come row by row must have the same number of rows");
    shape.front() = 1;
    RowValue& own = values_[id];
    own.kind = Kind::rows;
    own.var = graph_->leaf(shape, node(id).name);
    made_.inputs.push_back({id, own.var.id(), element_count(shape)});
  }
}

void StepRecorder::refuse_node(const Node& node, StepReason why, const std::string& what) const {
  throw StepRefused(why, error_of_numbers(node, sentence_of(why, what)));
}

// By its name among the document's tensors, where it has one.
std::string StepRecorder::called(NodeId id) const {
  for (const TensorGroup group : {TensorGroup::outputs, TensorGroup::inputs, TensorGroup::steps}) {
    for (const KnownTensor& known : directory_.of(group))
      if (known.node == id) return "\"" + known.record->name + "\"";
  }
  return node(id).name.empty() ? "a tensor " + to_text(node(id).shape)
                               : "\"" + node(id).name + "\"";
}

Var StepRecorder::fixed(NodeId id) {
  Var& leaf = fixed_[id];
  if (leaf) return leaf;
  leaf = graph_->leaf(node(id).shape, node(id).name);
  // Read where they are.
  const StoredNumbers stored = numbers_->stored(id);
  if (stored.tensor != nullptr)
    graph_->lay(leaf, {numbers_, stored.tensor}, stored.first);
  else
    graph_->lay(leaf, {numbers_, (*numbers_)[id].data()});
  return leaf;
}

Var StepRecorder::fixed_row(NodeId id, std::size_t axis) {
  Var& leaf = fixed_rows_[{id, axis}];
  if (leaf) return leaf;
  Shape shape = node(id).shape;
  shape[axis] = 1;
  leaf = graph_->leaf(std::move(shape), node(id).name);
  made_.feeds.push_back({leaf.id(), id, axis});
  return leaf;
}

// [count 1 ..]: which of the rows is the step's own.
Var StepRecorder::place(std::size_t axes_behind) {
  Var& leaf = places_[axes_behind];
  if (leaf) return leaf;
  Shape shape(axes_behind + 1, 1);
  shape.front() = made_.count;
  leaf = graph_->leaf(std::move(shape), "\\mathrm{own}");
  made_.places.push_back(leaf.id());
  return leaf;
}

Var StepRecorder::all_rows(NodeId id) {
  const auto known = all_.find(id);
  if (known != all_.end()) return known->second;
  const Var all = all_rows_of_view(node(id));
  return all_[id] = all ? all : kept_rows(id);
}

// Rows are kept before they are put in another place or repeated, so that keys that heads share are kept once.
Var StepRecorder::all_rows_of_view(const Node& node) {
  const bool view = node.primitive == &p::reshape || node.primitive == &p::permute ||
                    node.primitive == &p::broadcast_to;
  if (!view || value(node.inputs[0]).kind != Kind::rows) return {};
  return graph_->record(*node.primitive, {all_rows(node.inputs[0])}, node.attributes);
}

Var StepRecorder::kept_rows(NodeId id) {
  const RowValue& own = value(id);
  const Var leaf = graph_->leaf(node(id).shape, node(id).name);
  const Var next = keep_row(leaf, own.var, place(node(id).shape.size() - own.row - 1), own.row);
  made_.states.push_back({node(id).name, node(id).module, leaf.id(), next.id(), true});
  made_.states.back().source = id;
  made_.states.back().axis = own.row;
  return next;
}

RowValue StepRecorder::result(const Node& node, Var var, const Axes& axes,
                              const Beyond& beyond) const {
  RowValue out;
  out.kind = axes.key == 0 ? Kind::rows : Kind::pairs;
  out.row = node.shape.size() - axes.row;
  Shape own = node.shape;
  own[out.row] = 1;
  if (var.shape() != own) refuse_node(node, StepReason::by_place_of_query);
  if (axes.key != 0) out.key = node.shape.size() - axes.key;
  out.reach = axes.reach;
  out.var = var;
  out.beyond = beyond;
  return out;
}

RowValue StepRecorder::by_cells(const Node& node) {
  const Aligned all = aligned(node);
  const Var var = graph_->record(*node.primitive, all.in, node.attributes);
  RowValue out =
      result(node, var, all.axes, all.axes.key == 0 ? Beyond{} : beyond_of(node, all.beyond));
  out.lead = all.lead;
  if (all.axes.key == 0) find_columns(node, out);
  return out;
}

// softmax, entmax, argsort and their like: along the last axis. Where keys lie there, those behind the query must be
// excluded.
RowValue StepRecorder::by_last_axis(const Node& node) {
  const RowValue& x = value(node.inputs[0]);
  const std::size_t rank = node.shape.size();
  if (x.kind == Kind::rows && x.row == rank - 1)
    refuse_node(node, StepReason::weighs_rows, called(node.inputs[0]));
  const Aligned all = aligned(node);
  const Var var = graph_->record(*node.primitive, all.in, node.attributes);
  if (all.axes.row == 1) refuse_node(node, StepReason::weighs_queries);
  if (all.axes.key != 1) return result(node, var, all.axes);
  const bool sorts = node.primitive == &p::argsort;
  const std::size_t mask = node.primitive == &p::softmax ? 1 : 2;
  const bool masked = !sorts && all.beyond.size() > mask && all.beyond[mask].is(0);
  if (!masked && !all.beyond[0].known()) refuse_node(node, StepReason::later_keys);
  // The places in an order are keys no more.
  if (sorts) return result(node, var, {all.axes.row, 0});
  RowValue out = result(node, var, all.axes, masked ? Beyond::all(0) : Beyond{});
  out.lead = all.lead;
  return out;
}

// Reductions and running sums over one axis.
RowValue StepRecorder::by_axis(const Node& node) {
  const NodeId in = node.inputs[0];
  const RowValue& x = value(in);
  const std::size_t rank = this->node(in).shape.size();
  const std::size_t axis = axis_index(node.attributes[0], rank);
  if (axis == x.row) refuse_node(node, StepReason::needs_rows, called(in));
  const bool sums = node.primitive == &p::sum, largest = node.primitive == &p::max;
  const bool over_keys = x.kind == Kind::pairs && axis == x.key;
  if (over_keys) {
    const bool fits =
        x.beyond.known() &&
        (sums ? x.beyond.is(0) : *x.beyond.later <= -1e30 && *x.beyond.partly <= -1e30);
    if (!fits) refuse_node(node, StepReason::later_keys_of, called(in));
  }
  const Var var = graph_->record(*node.primitive, {x.var}, node.attributes);
  RowValue out = x;
  out.var = var;
  if (axis == x.key || !(largest || (sums && x.beyond.is(0)))) out.beyond = {};
  if (over_keys) out.kind = Kind::rows;
  if (node.shape.size() == rank) return out;
  if (out.row > axis) --out.row;
  if (out.key > axis) --out.key;
  return out;
}

RowValue StepRecorder::running_sum(const Node& node) {
  const NodeId in = node.inputs[0];
  const RowValue& x = value(in);
  const std::size_t axis = axis_index(node.attributes[0], node.shape.size());
  const bool back = node.attributes[1] != 0;
  if (x.kind != Kind::rows || axis != x.row) {
    if (x.kind == Kind::pairs && axis == x.row) refuse_node(node, StepReason::adds_rows_of_map);
    const bool over_keys = x.kind == Kind::pairs && axis == x.key;
    const bool in_order = !x.reach || std::ranges::is_sorted(x.reach->last);
    if (over_keys && back && !x.beyond.is(0)) refuse_node(node, StepReason::last_key_back);
    if (over_keys && !in_order && !x.beyond.known())
      refuse_node(node, StepReason::keys_by_place, called(in));
    RowValue out = x;
    out.var = graph_->record(p::cumsum, {x.var}, node.attributes);
    // Behind keys that have not come there are none but those. Other sums of what is known to the end are known, too.
    if (over_keys && back && in_order) return out;
    if (over_keys && x.beyond.known()) out.kind = Kind::rows;
    out.beyond = {};
    return out;
  }
  if (back) refuse_node(node, StepReason::last_row_back);
  const Var before = graph_->leaf(x.var.shape(), node.name);
  RowValue out = x;
  out.var = before + x.var;
  out.beyond = {};
  made_.states.push_back({node.name, node.module, before.id(), out.var.id(), false,
                          std::vector<real>(element_count(before.shape()), 0)});
  return out;
}

void StepRecorder::record(NodeId id) {
  const Node& node = this->node(id);
  if (!depends_[id] || value(id).depends()) return;
  graph_->module = node.module;
  const auto is = [&](const Primitive& primitive) { return node.primitive == &primitive; };
  bool keys = false, others = false;
  NodeId read = node.inputs.front();  // an operand with rows
  for (const NodeId in : node.inputs) {
    if (value(in).kind == Kind::shifted && !is(p::slice) && !is(p::concat))
      refuse_node(node, StepReason::moved_rows, called(in));
    if (value(in).depends()) read = in;
    keys = keys || value(in).kind == Kind::keys;
    others = others || (value(in).depends() && value(in).kind != Kind::keys);
  }
  const bool meet = node.primitive->keeps_rows || is(p::matmul) || is(p::squared_gaps) ||
                    is(p::softmax) || is(p::entmax) || is(p::concat);
  if (keys && others && !meet) refuse_node(node, StepReason::needs_rows, called(read));
  RowValue& out = values_[id];
  const std::size_t kept_so_far = all_.size() + made_.states.size();
  if (keys && !others)
    out = of_keys(node);
  else if (is(p::softmax) || is(p::entmax) || is(p::argsort))
    out = by_last_axis(node);
  else if (node.primitive->keeps_rows)
    out = by_cells(node);
  else if (is(p::sum) || is(p::max) || is(p::argmax))
    out = by_axis(node);
  else if (is(p::cumsum))
    out = running_sum(node);
  else if (is(p::matmul))
    out = product(node);
  else if (is(p::squared_gaps))
    out = distances(node);
  else if (is(p::solve_triangle))
    out = solved(node);
  else if (is(p::listed_sums))
    out = listed(node);
  else if (is(p::reshape))
    out = reshaped(node);
  else if (is(p::permute))
    out = permuted(node);
  else if (is(p::broadcast_to))
    out = broadcast(node);
  else if (is(p::slice))
    out = sliced(node);
  else if (is(p::concat))
    out = joined(node);
  else if (is(p::take))
    out = taken(node);
  else if (is(p::put)) {
    const Aligned all = aligned(node, 1);
    out = result(node, graph_->record(*node.primitive, all.in, node.attributes), all.axes);
  } else if (is(p::scan))
    out = scanned(node);
  else
    refuse_node(node, StepReason::needs_rows, called(read));
  by_row_[id] = out.kind == Kind::rows && kept_so_far == all_.size() + made_.states.size() &&
                std::all_of(node.inputs.begin(), node.inputs.end(), [&](NodeId in) {
                  return !depends_[in] || value(in).kind == Kind::rows;
                });
}

StepProgram StepRecorder::finish(const Program& program, bool with_reads) {
  if (with_reads) {
    std::vector<NodeId> kept, results;
    for (const StepState& state : made_.states) {
      if (state.grows) kept.push_back(state.source);
    }
    for (const Program::Result& one : program.results()) results.push_back(one.node);
    auto reads = rows_read({old_, values_, *numbers_, made_.count}, kept, results);
    for (StepState& state : made_.states) {
      if (state.grows) state.reads = std::move(reads.at(state.source));
    }
  }
  made_.by_row = std::move(by_row_);
  for (const Program::Result& one : program.results()) {
    const RowValue& own = value(one.node);
    if (!own.depends()) {
      made_.fixed.push_back(one.name);
      continue;
    }
    if (own.kind == Kind::parts) refuse_node(node(one.node), StepReason::whole_scan);
    if (own.kind == Kind::shifted)
      refuse_node(node(one.node),
                  own.fixed_rows == 0 ? StepReason::by_place : StepReason::rows_around,
                  called(own.base));
    if (own.kind == Kind::keys)
      refuse_node(node(one.node), StepReason::needs_rows, called(one.node));
    made_.results.push_back({one.name, own.var.id(), node(one.node).shape, own.row});
    if (own.kind == Kind::pairs && !own.beyond.known()) {
      // A map may have keys that its query does not see; what a module hands on has all its numbers.
      if (one.record && one.record->main != MainResult::none)
        refuse_node(node(one.node), StepReason::needs_rows, called(one.node));
      made_.results.back().unseen = own.key;
      made_.results.back().reach = own.reach;
    }
  }
  made_.graph = graph_;
  made_.whole = numbers_;
  return std::move(made_);
}

}  // namespace attend
