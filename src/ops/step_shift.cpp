// SPDX-License-Identifier: Apache-2.0
// Rules of slices and joins along the axis of rows or of keys: fixed rows in front of others, as a causal convolution
// or a token shift puts them there, and columns in front of keys that are no keys, such as a sink.
#include <algorithm>

#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/step_recorder.h"

namespace attend {
namespace {
namespace p = primitives;
using Kind = RowValue::Kind;
}  // namespace

RowValue StepRecorder::with_lead(const Node& node) {
  const NodeId keys = node.inputs.back();
  std::size_t lead = value(keys).lead;
  for (std::size_t k = 0; k + 1 < node.inputs.size(); ++k) {
    const NodeId id = node.inputs[k];
    if (depends_[id]) refuse_node(node, StepReason::rows_in_front, called(id));
    lead += this->node(id).shape[value(keys).key];
  }
  const Aligned all = aligned(node);
  RowValue out = result(node, graph_->record(p::concat, all.in, node.attributes), all.axes,
                        value(keys).beyond);
  out.lead = lead;
  return out;
}

RowValue StepRecorder::without_lead(const Node& node) {
  const RowValue& x = value(node.inputs[0]);
  const auto from = static_cast<std::size_t>(node.attributes[1]),
             to = static_cast<std::size_t>(node.attributes[2]);
  const bool all_keys = from == x.lead && to == this->node(node.inputs[0]).shape[x.key];
  if (!all_keys && to > x.lead)
    refuse_node(node, StepReason::keys_by_place, called(node.inputs[0]));
  RowValue out = x;
  out.var = graph_->record(p::slice, {x.var}, node.attributes);
  out.lead = 0;
  if (all_keys) return out;
  out.kind = Kind::rows;
  out.beyond = {};
  return out;
}

bool StepRecorder::are_behind_fixed_rows(const Node& node, std::size_t axis) const {
  const RowValue& x = value(node.inputs.back());
  return node.inputs.size() == 2 && !depends_[node.inputs.front()] && x.row == axis &&
         (x.kind == Kind::rows || (x.kind == Kind::shifted && x.fixed_rows == 0));
}

RowValue StepRecorder::behind_fixed_rows(const Node& node, std::size_t axis) {
  const NodeId front = node.inputs[0], rows = node.inputs.back();
  const RowValue& x = value(rows);
  RowValue out;
  out.kind = Kind::shifted;
  out.row = axis;
  out.base = x.kind == Kind::rows ? rows : x.base;
  out.front = front;
  out.fixed_rows = this->node(front).shape[axis];
  return settled(node, out);
}

RowValue StepRecorder::rows_by_place(const Node& node, std::size_t axis) {
  const NodeId in = node.inputs[0];
  const RowValue& x = value(in);
  const auto from = static_cast<std::size_t>(node.attributes[1]);
  RowValue out = x;
  if (x.kind == Kind::rows) {
    out = {};
    out.kind = Kind::shifted;
    out.row = axis;
    out.base = in;
  }
  if (from > out.fixed_rows) refuse_node(node, StepReason::by_place, called(in));
  out.fixed_rows -= from;
  return settled(node, out);
}

// Where there are as many rows again as there are steps, a step has its own: that of an earlier step.
RowValue StepRecorder::settled(const Node& node, RowValue shifted) {
  if (node.shape[shifted.row] != made_.count) return shifted;
  RowValue out;
  out.kind = Kind::rows;
  out.row = shifted.row;
  out.var = rows_before(shifted);
  return out;
}

// A chain of states hands each row on from step to step; before there is one it holds the fixed rows.
Var StepRecorder::rows_before(const RowValue& shifted) {
  const RowValue& own = value(shifted.base);
  const std::size_t back = shifted.fixed_rows;
  if (back == 0) return own.var;
  const Node& front = node(shifted.front);
  const AxisView v = view_axis(front.shape, shifted.row);
  const Numbers numbers = (*numbers_)[shifted.front];
  // The same rows behind the same fixed ones are kept once.
  NodeId known = shifted.front;
  for (const auto& [key, rows] : delayed_) {
    const Numbers other = (*numbers_)[key.second];
    if (key.first == shifted.base && node(key.second).shape == front.shape &&
        std::equal(numbers.begin(), numbers.end(), other.begin(), other.end()))
      known = key.second;
  }
  std::vector<Var>& chain = delayed_[{shifted.base, known}];
  while (chain.size() < back) {
    const Var leaf = graph_->leaf(own.var.shape(), node(shifted.base).name);
    std::vector<real> first(element_count(leaf.shape()));
    const std::size_t row = v.length - 1 - chain.size();
    for (std::size_t o = 0; o < v.outer && !numbers.empty(); ++o)
      std::copy_n(numbers.data() + (o * v.length + row) * v.inner, v.inner,
                  first.data() + o * v.inner);
    // An input's row is overwritten by the next one before states are handed on.
    const bool given = chain.empty() && (*graph_)[own.var.id()].leaf;
    const Var next = given ? own.var * 1. : chain.empty() ? own.var : chain.back();
    made_.states.push_back({node(shifted.base).name, node(shifted.base).module, leaf.id(),
                            next.id(), false, std::move(first), shifted.base});
    made_.states.back().back = chain.size() + 1;
    chain.push_back(leaf);
  }
  return chain[back - 1];
}

}  // namespace attend
