// SPDX-License-Identifier: Apache-2.0
// Keys that meet a fixed table with a row for each query: how far keys look along the directions of positions, or what
// a list of distances picks for them. They have rows, and become a map once an axis of queries is in front of them.
#include "ops/primitive.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/step_recorder.h"

namespace attend {
namespace {
namespace p = primitives;
using Kind = RowValue::Kind;
}  // namespace

const RowValue& StepRecorder::as_map(NodeId id, std::size_t queries) {
  const Node& node = this->node(id);
  const RowValue x = value(id);
  if (x.kind == Kind::pairs && x.row == queries) return value(id);
  if (x.kind != Kind::rows || node.leaf) refuse_node(node, StepReason::by_place_of_query);
  const std::size_t last = node.shape.size() - 1;
  const auto is = [&](const Primitive& primitive) { return node.primitive == &primitive; };
  RowValue out;
  if (is(p::permute)) {
    const RowValue& in = as_map(node.inputs[0], axis_index(node.attributes[queries], last + 1));
    out.var = permute(in.var, node.attributes.integers);
    out.beyond = in.beyond;
  } else if (is(p::take) && queries == last && !depends_[node.inputs[1]]) {
    const std::size_t axis = this->node(node.inputs[1]).shape.size() - 1;
    out.var = graph_->record(p::take, {all_rows(node.inputs[0]), fixed_row(node.inputs[1], axis)},
                             node.attributes);
  } else if (is(p::matmul) && queries + 1 == last && !depends_[node.inputs[0]]) {
    const std::size_t rank = this->node(node.inputs[0]).shape.size();
    const std::size_t axis = rank - (node.attributes[0] != 0 ? 1 : 2);
    out.var = graph_->record(p::matmul, {fixed_row(node.inputs[0], axis), all_rows(node.inputs[1])},
                             node.attributes);
  } else if (node.primitive->keeps_rows && !is(p::softmax) && !is(p::entmax) && !is(p::argsort)) {
    out = map_by_cells(node, queries);
  } else {
    refuse_node(node, StepReason::by_place_of_query);
  }
  out.kind = Kind::pairs;
  out.row = queries;
  out.key = x.row;
  return values_[id] = out;
}

RowValue StepRecorder::map_by_cells(const Node& node, std::size_t queries) {
  const std::size_t row = node.shape.size() - queries;
  std::size_t key = 0;  // all operands with rows have them along this axis
  for (const NodeId id : node.inputs) {
    if (depends_[id]) key = this->node(id).shape.size() - value(id).row;
    if (depends_[id] && value(id).kind == Kind::pairs)
      key = this->node(id).shape.size() - value(id).key;
  }
  std::vector<Var> in;
  std::vector<Beyond> beyond;
  for (const NodeId id : node.inputs) {
    const Shape& shape = this->node(id).shape;
    const bool by_query = row <= shape.size() && shape[shape.size() - row] == made_.count;
    beyond.emplace_back();
    if (!depends_[id]) {
      in.push_back(by_query ? fixed_row(id, shape.size() - row) : fixed(id));
      beyond.back() = beyond_of(shape, (*numbers_)[id], row, {key, made_.count});
    } else if (by_query) {
      const RowValue& map = as_map(id, shape.size() - row);
      in.push_back(map.var);
      beyond.back() = map.beyond;
    } else {
      in.push_back(all_rows(id));
    }
  }
  RowValue out;
  out.var = graph_->record(*node.primitive, in, node.attributes);
  out.beyond = beyond_of(node, beyond);
  return out;
}

}  // namespace attend
