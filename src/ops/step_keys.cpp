// SPDX-License-Identifier: Apache-2.0
// Rules of axes of keys that need not be the rows themselves: blocks of rows, keys that are moved or repeated, and
// columns that are known to be empty behind a row.
#include <algorithm>

#include "ops/primitive.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/step_recorder.h"

namespace attend {
namespace {
namespace p = primitives;
using Kind = RowValue::Kind;

RowValue keys_along(Var var, std::size_t axis, SharedReach reach) {
  RowValue out;
  out.kind = Kind::keys;
  out.key = axis;
  out.reach = std::move(reach);
  out.var = var;
  return out;
}

void append(Reach& to, const SharedReach& reach, std::size_t extent) {
  for (std::size_t j = 0; j < extent; ++j) to.add(first_row(reach, j), last_row(reach, j));
}

bool same(const SharedReach& a, const SharedReach& b) { return a == b || (a && b && *a == *b); }
}  // namespace

// Keys and what is fixed: every entry is computed from one entry of each operand.
RowValue StepRecorder::of_keys(const Node& node) {
  const auto is = [&](const Primitive& primitive) { return node.primitive == &primitive; };
  std::vector<Var> in;
  std::size_t from_end = 0;
  SharedReach reach;
  for (const NodeId id : node.inputs) {
    const RowValue& x = value(id);
    in.push_back(x.depends() ? x.var : fixed(id));
    if (!x.depends()) continue;
    const std::size_t key = this->node(id).shape.size() - x.key;
    const bool fits = from_end == 0 || (from_end == key && same(reach, x.reach));
    if (!fits && !is(p::matmul)) refuse_node(node, StepReason::unlike_maps);
    from_end = key;
    reach = x.reach;
  }
  if (is(p::matmul)) return product_of_keys(node);
  const NodeId first = node.inputs[0];
  const RowValue& x = value(first);
  const Shape& from = this->node(first).shape;
  const auto made = [&](std::size_t axis, SharedReach rows) {
    return keys_along(graph_->record(*node.primitive, in, node.attributes), axis, std::move(rows));
  };
  if (is(p::reshape)) {
    const auto whole = axis_after_reshape(from, x.key, node.shape);
    const auto axis = whole ? whole : axis_split_by_reshape(from, x.key, node.shape);
    if (!axis) refuse_node(node, StepReason::joined_axes, called(first));
    return made(*axis, reach_after_reshape(x.reach, from[x.key], node.shape[*axis]));
  }
  if (is(p::permute)) {
    std::size_t axis = 0;
    while (axis_index(node.attributes[axis], from.size()) != x.key) ++axis;
    return made(axis, x.reach);
  }
  if (is(p::sum) || is(p::max) || is(p::argmax)) return reduced_keys(node);
  const bool by_axis = is(p::cumsum) || is(p::slice) || is(p::concat);
  const bool by_last =
      is(p::softmax) || is(p::entmax) || is(p::argsort) || is(p::take) || is(p::put);
  const std::size_t own =
      by_axis ? axis_index(node.attributes[0], node.shape.size()) : node.shape.size() - 1;
  if ((by_axis || by_last) && own == node.shape.size() - from_end) {
    if (is(p::concat)) return joined_rows(node, own);
    if (is(p::take) && !depends_[node.inputs[1]]) return made(own, listed_reach(node));
    if (!is(p::slice)) refuse_node(node, StepReason::needs_rows, called(first));
    Reach rows;
    for (auto j = static_cast<std::size_t>(node.attributes[1]);
         j < static_cast<std::size_t>(node.attributes[2]); ++j)
      rows.add(first_row(x.reach, j), last_row(x.reach, j));
    return made(own, shared(std::move(rows)));
  }
  if (!by_axis && !by_last && !is(p::broadcast_to) && !node.primitive->keeps_rows)
    refuse_node(node, StepReason::needs_rows, called(first));
  return made(node.shape.size() - from_end, reach);
}

// Over keys too, where an axis in front of them has one entry, which is then made of all of them.
RowValue StepRecorder::reduced_keys(const Node& node) {
  const NodeId in = node.inputs[0];
  const RowValue& x = value(in);
  const Shape& from = this->node(in).shape;
  const std::size_t axis = axis_index(node.attributes[0], from.size());
  const Var var = graph_->record(*node.primitive, {x.var}, node.attributes);
  const bool kept = node.shape.size() == from.size();
  if (axis != x.key) return keys_along(var, x.key > axis && !kept ? x.key - 1 : x.key, x.reach);
  if (!kept && (axis == 0 || from[axis - 1] != 1))
    refuse_node(node, StepReason::needs_rows, called(in));
  return keys_along(var, kept ? axis : axis - 1, reach_after_reshape(x.reach, from[axis], 1));
}

// A product with what is fixed, or one for each key.
RowValue StepRecorder::product_of_keys(const Node& node) {
  const auto from_end = [&](std::size_t k) {
    const NodeId id = node.inputs[k];
    return value(id).depends() ? this->node(id).shape.size() - value(id).key : 0;
  };
  const auto taken_from = [&](std::size_t k) {
    return value(node.inputs[k]).depends() ? value(node.inputs[k]).var : fixed(node.inputs[k]);
  };
  const std::array<std::size_t, 2> key{from_end(0), from_end(1)};
  const std::array<std::size_t, 2> inner{node.attributes[0] != 0 ? 2U : 1U,
                                         node.attributes[1] != 0 ? 1U : 2U};
  for (const std::size_t k : {0, 1}) {
    if (key[k] == inner[k]) refuse_node(node, StepReason::mixes_rows, called(node.inputs[k]));
  }
  const bool both = key[0] != 0 && key[1] != 0;
  const bool each = key[0] == key[1] && key[0] > 2 &&
                    same(value(node.inputs[0]).reach, value(node.inputs[1]).reach);
  if (both && !each) refuse_node(node, StepReason::axes_do_not_fit, "its operands");
  const std::size_t k = key[0] != 0 ? 0 : 1;
  const std::size_t axis = key[k] > 2 ? key[k] : k == 0 ? 2 : 1;
  return keys_along(graph_->record(p::matmul, {taken_from(0), taken_from(1)}, node.attributes),
                    node.shape.size() - axis, value(node.inputs[k]).reach);
}

// Queries times keys, and weights that are known to be 0 at keys that are not there yet times their values.
RowValue StepRecorder::product_with_keys(const Node& node) {
  const NodeId left = node.inputs[0], right = node.inputs[1];
  const RowValue &a = value(left), &b = value(right);
  const Shape &from = this->node(left).shape, &of = this->node(right).shape;
  const std::size_t a_inner = node.attributes[0] != 0 ? 2 : 1, a_outer = 3 - a_inner,
                    b_outer = node.attributes[1] != 0 ? 2 : 1, b_inner = 3 - b_outer;
  const auto misfit = [&] { refuse_node(node, StepReason::axes_do_not_fit, "its operands"); };
  if (b.kind != Kind::keys || a.kind == Kind::keys || !a.depends() ||
      from.size() - a.row != a_outer)
    misfit();
  const auto times = [&] { return graph_->record(p::matmul, {a.var, b.var}, node.attributes); };
  if (of.size() - b.key == b_outer && a.kind == Kind::rows)
    return result(node, times(), {2, 1, b.reach});
  const bool weights = (a.kind == Kind::pairs || a.has_columns()) && a.lead == 0 &&
                       from.size() - a.key == a_inner && of.size() - b.key == b_inner;
  if (!weights) misfit();
  if (!seen_through(a.beyond, a.reach, b.reach, of[b.key]).is(0))
    refuse_node(node, StepReason::later_values);
  return result(node, times(), {2, 0});
}

// All rows with others before or behind them.
RowValue StepRecorder::joined_rows(const Node& node, std::size_t axis) {
  std::vector<Var> in;
  Reach reach;
  for (const NodeId id : node.inputs) {
    const RowValue& x = value(id);
    const std::size_t extent = this->node(id).shape[axis];
    if (!x.depends()) {
      in.push_back(fixed(id));
      for (std::size_t j = 0; j < extent; ++j) reach.add_fixed();
      continue;
    }
    const bool rows = x.kind == Kind::rows && x.row == axis;
    if (!rows && (x.kind != Kind::keys || x.key != axis))
      refuse_node(node, StepReason::rows_around, called(id));
    in.push_back(rows ? all_rows(id) : x.var);
    append(reach, rows ? nullptr : x.reach, extent);
  }
  return keys_along(graph_->record(p::concat, in, node.attributes), axis, shared(std::move(reach)));
}

// Maps side by side along their keys, also with fixed columns, which may be like those of keys that come later.
RowValue StepRecorder::joined_maps(const Node& node, std::size_t axis) {
  const NodeId* map = nullptr;
  for (const NodeId& id : node.inputs) {
    const RowValue& x = value(id);
    if (!x.depends()) continue;
    if (x.kind != Kind::pairs || x.key != axis)
      refuse_node(node, StepReason::rows_around, called(id));
    if (x.lead > 0 || (map != nullptr && value(*map).row != x.row))
      refuse_node(node, StepReason::unlike_maps);
    map = &id;
  }
  const std::size_t row = value(*map).row;
  RowValue out = value(*map);
  std::vector<Var> in;
  Reach reach;
  for (const NodeId id : node.inputs) {
    const RowValue& x = value(id);
    const Shape& shape = this->node(id).shape;
    if (x.depends()) {
      in.push_back(x.var);
      append(reach, x.reach, shape[axis]);
      if (x.beyond.later != out.beyond.later || x.beyond.partly != out.beyond.partly)
        out.beyond = {};
      continue;
    }
    in.push_back(shape[row] == made_.count ? fixed_row(id, row) : fixed(id));
    const Numbers numbers = (*numbers_)[id];
    const bool later = out.beyond.known() && std::ranges::all_of(numbers, [&](real number) {
                         return out.beyond.is(static_cast<double>(number));
                       });
    for (std::size_t j = 0; j < shape[axis]; ++j) later ? reach.add_never() : reach.add_fixed();
  }
  out.var = graph_->record(p::concat, in, node.attributes);
  out.reach = shared(std::move(reach));
  return out;
}

// The rows of entries that a fixed list picks, whichever of its lines.
SharedReach StepRecorder::listed_reach(const Node& node) const {
  const SharedReach& own = value(node.inputs[0]).reach;
  const std::size_t extent = node.shape.back(), from = this->node(node.inputs[0]).shape.back();
  Reach reach;
  for (std::size_t j = 0; j < extent; ++j) reach.add(Reach::never, 0);
  const Numbers list = (*numbers_)[node.inputs[1]];
  for (std::size_t at = 0; at < list.size(); ++at) {
    const auto k = static_cast<std::size_t>(list[at]);
    if (k >= from) continue;  // refused where it is read
    std::size_t &first = reach.first[at % extent], &last = reach.last[at % extent];
    first = std::min(first, first_row(own, k));
    last = std::max(last, last_row(own, k));
  }
  return shared(std::move(reach));
}

// Along the last axis, by an index. What a fixed one picks from a map is a map.
RowValue StepRecorder::taken(const Node& node) {
  const NodeId in = node.inputs[0];
  const RowValue& x = value(in);
  const bool keys = x.kind == Kind::pairs && x.key + 1 == this->node(in).shape.size();
  if (keys && !depends_[node.inputs[1]] && x.lead == 0 && x.row < x.key) {
    const Shape& shape = this->node(node.inputs[1]).shape;
    RowValue out = x;
    out.var = graph_->record(
        p::take,
        {x.var, shape[x.row] == made_.count && made_.count > 1 ? fixed_row(node.inputs[1], x.row)
                                                               : fixed(node.inputs[1])},
        node.attributes);
    out.reach = listed_reach(node);
    return out;
  }
  const Aligned all = aligned(node, 1);
  return result(node, graph_->record(p::take, all.in, node.attributes), all.axes);
}

void StepRecorder::find_columns(const Node& node, RowValue& out) const {
  const std::size_t rank = node.shape.size(), row = rank - out.row;
  KeyAxis keys{1, node.shape.back(), 0, nullptr};
  bool found = false;
  for (const NodeId id : node.inputs) {
    const RowValue& x = value(id);
    const Shape& shape = this->node(id).shape;
    if (x.has_columns()) {
      if (!found || !x.reach) keys = {shape.size() - x.key, shape[x.key], 0, x.reach};
      found = true;
    }
  }
  // Of others a fixed table tells, with a column for each row.
  for (const NodeId id : node.inputs) {
    const Shape& shape = this->node(id).shape;
    found = found || (!depends_[id] && row > 1 && row <= shape.size() &&
                      shape[shape.size() - row] == made_.count && shape.back() == made_.count);
  }
  if (!found || keys.from_end >= row) return;
  std::vector<Beyond> in;
  for (const NodeId id : node.inputs) {
    const RowValue& x = value(id);
    const Shape& shape = this->node(id).shape;
    if (!x.depends())
      in.push_back(beyond_of(shape, (*numbers_)[id], row, keys));
    else if (x.has_columns() && shape.size() - x.key == keys.from_end)
      in.push_back(seen_through(x.beyond, x.reach, keys.reach, keys.extent));
    else
      in.emplace_back();
  }
  const Beyond beyond = beyond_of(node, in);
  if (!beyond.known()) return;
  out.beyond = beyond;
  out.key = rank - keys.from_end;
  out.reach = keys.reach;
}

}  // namespace attend
