// SPDX-License-Identifier: Apache-2.0
// Rules of primitives that move rows, multiply or scan.
#include <algorithm>

#include "ops/error.h"
#include "ops/keep_row.h"
#include "ops/primitive.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/scan.h"
#include "ops/step_recorder.h"

namespace attend {
namespace {
namespace p = primitives;
using Kind = RowValue::Kind;

// The shape of the step's part of a tensor.
Shape with_one_row(Shape shape, std::size_t row) {
  shape[row] = 1;
  return shape;
}
}  // namespace

// a [.. m k] times b [.. k n].
RowValue StepRecorder::product(const Node& node) {
  const std::array<NodeId, 2> ids{node.inputs[0], node.inputs[1]};
  const RowValue &a = value(ids[0]), &b = value(ids[1]);
  const bool ta = node.attributes[0] != 0, tb = node.attributes[1] != 0;
  if (a.kind == Kind::keys || b.kind == Kind::keys) return product_with_keys(node);
  for (const NodeId id : ids) {
    if (value(id).kind == Kind::parts) refuse_node(node, StepReason::whole_scan);
  }
  const auto from_end = [&](std::size_t k, std::size_t axis) {
    return this->node(ids[k]).shape.size() - axis;
  };
  // Axes counted from the end, as they lie in memory.
  const std::size_t a_inner = ta ? 2 : 1, a_outer = ta ? 1 : 2, b_inner = tb ? 1 : 2,
                    b_outer = tb ? 2 : 1;
  const std::size_t a_row = a.depends() ? from_end(0, a.row) : 0,
                    b_row = b.depends() ? from_end(1, b.row) : 0;
  const std::size_t a_key = a.kind == Kind::pairs ? from_end(0, a.key) : 0,
                    b_key = b.kind == Kind::pairs ? from_end(1, b.key) : 0;
  const auto take = [&](std::size_t k, std::size_t row) {  // the step's row of what is fixed, too
    const NodeId id = ids[k];
    if (value(id).depends()) return value(id).var;
    const Shape& shape = this->node(id).shape;
    const bool rows = row > 2 && row <= shape.size() && shape[shape.size() - row] == made_.count &&
                      made_.count > 1;
    return rows ? fixed_row(id, shape.size() - row) : fixed(id);
  };
  const auto times = [&](Var x, Var y) {
    return graph_->record(p::matmul, {x, y}, node.attributes);
  };
  const auto all_pairs_known = [&] {
    if (a.depends() && b.depends())
      return seen_through(a.beyond, a.reach, nullptr, made_.count).is(0);
    if (a.depends()) return a.beyond.is(0);
    const Shape& shape = this->node(ids[0]).shape;
    return beyond_of(shape, (*numbers_)[ids[0]], a_outer, {a_inner, made_.count}).is(0);
  };

  const bool columns = a.has_columns() && from_end(0, a.key) == a_inner;
  // Of keys whose own keys all lie before them.
  const bool values_of_pairs = b_key == b_outer && b_row == b_inner &&
                               (a_key == a_inner || columns) && !b.reach && b.beyond.is(0);
  if (a_row == a_inner || b_key == b_inner || (b_key == b_outer && !values_of_pairs))
    refuse_node(node, StepReason::sums_rows, called(b_key != 0 ? ids[1] : ids[0]));
  if (a_key == a_inner || ((columns || !a.depends()) && b_row == b_inner)) {
    // Weights times values.
    const std::size_t rows = this->node(ids[0]).shape.end()[-static_cast<long>(a_outer)];
    if (!a.depends() && rows != made_.count)
      refuse_node(node, StepReason::mixes_rows, called(ids[1]));
    if ((a.depends() && a_row != a_outer) || (b.depends() && b_row != b_inner))
      refuse_node(node, StepReason::axes_do_not_fit, "its operands");
    if (!all_pairs_known()) refuse_node(node, StepReason::later_values);
    const Var weights =
        a.depends() ? a.var : fixed_row(ids[0], this->node(ids[0]).shape.size() - a_outer);
    const Var sums = times(weights, b.depends() ? all_rows(ids[1]) : fixed(ids[1]));
    return values_of_pairs ? result(node, sums, {2, 1}, Beyond::all(0))
                           : result(node, sums, {2, 0});
  }
  if (b_row == b_inner) refuse_node(node, StepReason::sums_rows, called(ids[1]));
  if (a_row == a_outer && b_row == b_outer)  // queries times keys
    return result(node, times(a.var, all_rows(ids[1])), {2, 1});
  if (a_key != 0) {
    // Features of pairs, or of keys, times a matrix.
    if (b.depends()) refuse_node(node, StepReason::axes_do_not_fit, "its operands");
    return result(node, times(a.var, fixed(ids[1])),
                  {a_row == a_outer ? 2 : a_row, a_key == a_outer ? 2 : a_key, a.reach},
                  a.beyond.is(0) ? a.beyond : Beyond{});
  }
  if (a_row == a_outer && b_row == 0) return result(node, times(a.var, fixed(ids[1])), {2, 0});
  if (b_row == b_outer && a_row == 0) return result(node, times(fixed(ids[0]), b.var), {1, 0});
  // One product a row.
  const std::size_t row = std::max(a_row, b_row);
  if ((a.depends() && a_row != row) || (b.depends() && b_row != row) || row <= 2 || b_key != 0)
    refuse_node(node, StepReason::axes_do_not_fit, "its operands");
  return result(node, times(take(0, row), take(1, row)), {row, 0});
}

// (1 + A) X = B, A below the diagonal: row t of X is b_t less what a_t takes of the rows before it.
RowValue StepRecorder::solved(const Node& node) {
  const std::size_t rank = node.shape.size();
  const auto own_row = [&](std::size_t k) {
    const NodeId id = node.inputs[k];
    const RowValue& x = value(id);
    const bool fits = x.depends() ? x.row == rank - 2 && (k == 1 || x.kind == Kind::pairs)
                                  : this->node(id).shape[rank - 2] == made_.count;
    if (!fits || x.lead > 0 || (x.kind == Kind::pairs && x.reach))
      refuse_node(node, StepReason::axes_do_not_fit, "its operands");
    return x.depends() ? x.var : fixed_row(id, rank - 2);
  };
  const auto known = [&](NodeId id) {
    const RowValue& x = value(id);
    const Shape& shape = this->node(id).shape;
    const Beyond beyond =
        x.depends() ? x.beyond : beyond_of(shape, (*numbers_)[id], 2, {1, shape.back()});
    return beyond.is(0);
  };
  if (node.attributes[0] != 0) refuse_node(node, StepReason::solves_back);
  const NodeId side = node.inputs[1];
  const std::size_t side_rank = this->node(side).shape.size();
  if (value(side).kind == Kind::rows && value(side).row == side_rank - 1 && made_.count > 1)
    (void)as_map(side, side_rank - 2);
  const bool pairs = value(node.inputs[1]).kind == Kind::pairs;
  if (!known(node.inputs[0]) || (pairs && !known(node.inputs[1])))
    refuse_node(node, StepReason::later_rows);
  const Var a = own_row(0), b = own_row(1);
  const Var before = graph_->leaf(node.shape, node.name);
  // The step's own row of X is not there yet.
  const Var x = b - matmul(a * (1 - place(0)), before);
  const NodeId id = node.id;
  RowValue out =
      result(node, x, {2, pairs ? std::size_t{1} : 0}, pairs ? Beyond::all(0) : Beyond{});
  const Var next = keep_row(before, x, place(1), out.row);
  made_.states.push_back({node.name, node.module, before.id(), next.id(), true});
  made_.states.back().source = id;
  made_.states.back().axis = out.row;
  all_[id] = next;
  return out;
}

// Of rows a [.. m p] and b [.. n p] to [.. m n].
RowValue StepRecorder::distances(const Node& node) {
  const RowValue &a = value(node.inputs[0]), &b = value(node.inputs[1]);
  const auto second = [&](std::size_t k) { return this->node(node.inputs[k]).shape.size() - 2; };
  const bool fits = (!a.depends() || (a.kind == Kind::rows && a.row == second(0))) &&
                    (!b.depends() || (b.kind == Kind::rows && b.row == second(1)) ||
                     (a.depends() && b.kind == Kind::keys && b.key == second(1)));
  if (!fits) refuse_node(node, StepReason::axes_do_not_fit, "its operands");
  const auto made = [&](Var x, Var y) {
    return graph_->record(*node.primitive, {x, y}, node.attributes);
  };
  if (!b.depends()) return result(node, made(a.var, fixed(node.inputs[1])), {2, 0});
  if (!a.depends()) return result(node, made(fixed(node.inputs[0]), b.var), {1, 0});
  if (b.kind == Kind::keys) return result(node, made(a.var, b.var), {2, 1, b.reach});
  return result(node, made(a.var, all_rows(node.inputs[1])), {2, 1});
}

// w [.. m t] times the rows of a table [.. n d] that a list [.. m t] names: the table is there from the start.
RowValue StepRecorder::listed(const Node& node) {
  const std::size_t second = node.shape.size() - 2;
  const auto row_of = [&](NodeId id) {
    const RowValue& x = value(id);
    if (!x.depends()) return fixed_row(id, second);
    if (x.kind != Kind::rows || x.row != second)
      refuse_node(node, StepReason::axes_do_not_fit, "its list");
    return x.var;
  };
  if (value(node.inputs[1]).depends())
    refuse_node(node, StepReason::later_rows_listed, called(node.inputs[1]));
  const Var weights = row_of(node.inputs[0]), list = row_of(node.inputs[2]);
  return result(
      node, graph_->record(p::listed_sums, {weights, fixed(node.inputs[1]), list}, node.attributes),
      {2, 0});
}

RowValue StepRecorder::reshaped(const Node& node) {
  const RowValue& x = value(node.inputs[0]);
  const Shape& from = this->node(node.inputs[0]).shape;
  RowValue out = x;
  if (x.kind == Kind::parts) {
    // One part of a scan, as rows of steps.
    out.kind = Kind::rows;
    out.row = 0;
    out.var = reshape(x.parts[0], with_one_row(node.shape, 0));
    if (x.kept) {
      out.kind = Kind::parts;
      out.parts = {out.var};
      out.before = {reshape(x.before[0], with_one_row(node.shape, 0))};
    }
    return out;
  }
  const auto row = axis_after_reshape(from, x.row, node.shape);
  const auto key = axis_after_reshape(from, x.key, node.shape);
  if (!row && x.kind == Kind::rows) {
    const auto split = axis_split_by_reshape(from, x.row, node.shape);
    if (split) {
      out = {};
      out.kind = Kind::keys;
      out.key = *split;
      out.reach = reach_after_reshape(nullptr, from[x.row], node.shape[*split]);
      out.var = reshape(all_rows(node.inputs[0]), node.shape);
      return out;
    }
  }
  if (!row || (x.kind == Kind::pairs && !key))
    refuse_node(node, StepReason::joined_axes, called(node.inputs[0]));
  out.row = *row;
  if (key) out.key = *key;
  if (!key || *key == *row) out.beyond = {};
  out.var = reshape(x.var, with_one_row(node.shape, *row));
  return out;
}

RowValue StepRecorder::permuted(const Node& node) {
  const RowValue& x = value(node.inputs[0]);
  RowValue out = x;
  for (std::size_t i = 0; i < node.shape.size(); ++i) {
    const std::size_t axis = axis_index(node.attributes[i], node.shape.size());
    if (axis == x.row) out.row = i;
    if (axis == x.key) out.key = i;
  }
  if (out.key < out.row) out.beyond = {};
  out.var = permute(x.var, node.attributes.integers);
  return out;
}

RowValue StepRecorder::broadcast(const Node& node) {
  const RowValue& x = value(node.inputs[0]);
  const std::size_t more = node.shape.size() - this->node(node.inputs[0]).shape.size();
  RowValue out = x;
  out.row += more;
  out.key += more;
  out.var = broadcast_to(x.var, with_one_row(node.shape, out.row));
  return out;
}

RowValue StepRecorder::sliced(const Node& node) {
  const NodeId in = node.inputs[0];
  const RowValue& x = value(in);
  if (x.kind == Kind::parts) return part_of_scan(node);
  const std::size_t axis = axis_index(node.attributes[0], node.shape.size());
  if (node.shape == this->node(in).shape) return x;
  if (x.kind == Kind::pairs && axis == x.key && x.lead > 0) return without_lead(node);
  if (x.kind != Kind::pairs && axis == x.row) return rows_by_place(node, axis);
  if (x.kind == Kind::shifted) refuse_node(node, StepReason::moved_rows, called(in));
  if (axis == x.row) refuse_node(node, StepReason::by_place, called(in));
  RowValue out = x;
  if (axis == x.key && (x.kind == Kind::pairs || x.has_columns())) {
    Reach reach;
    for (long j = node.attributes[1]; j < node.attributes[2]; ++j)
      reach.add(first_row(x.reach, static_cast<std::size_t>(j)),
                last_row(x.reach, static_cast<std::size_t>(j)));
    out.reach = shared(std::move(reach));
  }
  out.var = graph_->record(p::slice, {x.var}, node.attributes);
  return out;
}

RowValue StepRecorder::joined(const Node& node) {
  const std::size_t axis = axis_index(node.attributes[0], node.shape.size());
  bool map = false, fixed_in_front = true;
  for (const NodeId id : node.inputs) {
    const RowValue& x = value(id);
    if (x.kind == Kind::shifted || (x.kind == Kind::rows && axis == x.row) ||
        (x.kind == Kind::keys && axis == x.key))
      return are_behind_fixed_rows(node, axis) ? behind_fixed_rows(node, axis)
                                               : joined_rows(node, axis);
    if (x.depends() && x.kind != Kind::keys && axis == x.row)
      refuse_node(node, StepReason::rows_around, called(id));
    map = map || (x.kind == Kind::pairs && axis == x.key);
    fixed_in_front = fixed_in_front && (id == node.inputs.back() || x.kind != Kind::pairs);
  }
  const RowValue& back = value(node.inputs.back());
  if (map && fixed_in_front && back.kind == Kind::pairs && !back.reach) return with_lead(node);
  if (map) return joined_maps(node, axis);
  const Aligned all = aligned(node);
  return result(node, graph_->record(p::concat, all.in, node.attributes), all.axes);
}

// A scan over the rows is the step that it repeats.
RowValue StepRecorder::scanned(const Node& node) {
  const ScanBody& body = *node.attributes.body;
  const std::size_t states = body.states.size(), rows = body.rows.size();
  if (body.backwards) refuse_node(node, StepReason::runs_back);
  std::map<NodeId, NodeId> made;  // by node of the body
  RowValue out;
  out.kind = Kind::parts;
  for (std::size_t k = 0; k < node.inputs.size(); ++k) {
    const NodeId id = node.inputs[k];
    const RowValue& own = value(id);
    if (k < states) {
      if (own.depends()) refuse_node(node, StepReason::state_of_rows);
      const Numbers first = (*numbers_)[id];
      const Var leaf = graph_->leaf(this->node(id).shape, (*body.graph)[body.states[k]].name);
      made_.states.push_back({(*body.graph)[body.next[k]].name,
                              node.module,
                              leaf.id(),
                              0,
                              false,
                              {first.begin(), first.end()}});
      out.before.push_back(leaf);
      made[body.states[k]] = leaf.id();
    } else if (k < states + rows) {
      const bool by_row = own.depends();
      if ((by_row && (own.kind != Kind::rows || own.row != 0)) || body.count != made_.count)
        refuse_node(node, StepReason::scan_of_others);
      const Var one = by_row ? own.var : fixed_row(id, 0);
      const Shape& shape = this->node(id).shape;
      made[body.rows[k - states]] = reshape(one, {shape.begin() + 1, shape.end()}).id();
    } else {
      if (own.depends()) refuse_node(node, StepReason::reads_rows_in_each_step, called(id));
      made[body.captured[k - states - rows]] = fixed(id).id();
    }
  }
  const Graph& step = *body.graph;
  for (NodeId id = 0; id < step.size(); ++id) {
    if (made.contains(id)) continue;
    std::vector<NodeId> inputs = step[id].inputs;
    for (NodeId& input : inputs) input = made.at(input);
    made[id] = graph_->adopt(step[id], std::move(inputs)).id();
  }
  for (std::size_t k = 0; k < states; ++k) {
    made_.states[made_.states.size() - states + k].next = made.at(body.next[k]);
    out.parts.push_back(graph_->var(made.at(body.next[k])));
  }
  for (const NodeId id : body.outputs) out.parts.push_back(graph_->var(made.at(id)));
  return out;
}

// The part of a scan's flat result, or, of its kept states, those before or after each step.
RowValue StepRecorder::part_of_scan(const Node& node) {
  const RowValue& x = value(node.inputs[0]);
  const auto start = static_cast<std::size_t>(node.attributes[1]);
  RowValue out = x;
  if (x.kept) {
    const bool by_step =
        axis_index(node.attributes[0], node.shape.size()) == 0 && node.shape.front() == made_.count;
    if (!by_step) refuse_node(node, StepReason::state_after_scan);
    out.kept = false;
    out.kind = Kind::rows;
    out.row = 0;
    out.var = start == 0 ? x.before[0] : x.parts[0];
    out.parts.clear();
    out.before.clear();
    return out;
  }
  const ScanBody& body = *this->node(node.inputs[0]).attributes.body;
  std::size_t k = 0;
  while (k < body.parts.size() && (body.parts[k].offset != start ||
                                   element_count(body.parts[k].shape) != node.shape.front()))
    ++k;
  if (k == body.parts.size()) refuse_node(node, StepReason::across_scan);
  out.parts = {x.parts[k]};
  out.kept = k < body.states.size();
  if (out.kept && !body.keeps) refuse_node(node, StepReason::state_after_scan);
  if (out.kept)
    out.before = {x.before[k]};
  else
    out.before.clear();
  return out;
}

}  // namespace attend
