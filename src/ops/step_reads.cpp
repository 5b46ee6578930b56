// SPDX-License-Identifier: Apache-2.0
#include "ops/step_reads.h"

#include <algorithm>

#include "ops/primitive.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {
namespace p = primitives;
using Kind = RowValue::Kind;

bool is_view(const Node& node) {
  return node.primitive == &p::reshape || node.primitive == &p::permute ||
         node.primitive == &p::broadcast_to;
}

bool weighs_keys(const Node& node) {
  return node.primitive == &p::softmax || node.primitive == &p::entmax;
}

class Reader {
 public:
  Reader(const StepTrace& trace, const std::vector<NodeId>& kept) : trace_(trace) {
    const std::size_t nodes = trace.graph.size();
    zero_.resize(nodes);
    need_.resize(nodes);
    // Of what is made of its own earlier rows, and of maps that are kept, all of them.
    for (const NodeId id : kept) {
      const bool all =
          value(id).kind == Kind::pairs || trace.graph[id].primitive == &p::solve_triangle;
      reads_[id] = all ? past() : own_rows();
    }
    for (NodeId id = 0; id < nodes; ++id) {
      if (is_map(id)) zero_[id] = zeros_of(id);
    }
  }

  std::map<NodeId, Marks> read(const std::vector<NodeId>& results) {
    for (const NodeId id : results) {
      if (value(id).kind == Kind::pairs) add(need_[id], past());
    }
    for (NodeId id = static_cast<NodeId>(trace_.graph.size()); id-- > 0;) {
      if (trace_.graph[id].leaf || !value(id).depends()) continue;
      for (std::size_t k = 0; k < trace_.graph[id].inputs.size(); ++k) hand_on(id, k);
    }
    return std::move(reads_);
  }

 private:
  [[nodiscard]] const RowValue& value(NodeId id) const { return trace_.values[id]; }
  [[nodiscard]] std::size_t count() const { return trace_.count; }
  // Whether its keys are the rows themselves: what others are made of is not followed further.
  [[nodiscard]] bool is_map(NodeId id) const {
    return value(id).kind == Kind::pairs && !value(id).reach;
  }
  [[nodiscard]] Marks none() const { return Marks(count() * count(), 0); }
  [[nodiscard]] Marks own_rows() const {
    Marks marks = none();
    for (std::size_t i = 0; i < count(); ++i) marks[i * count() + i] = 1;
    return marks;
  }
  [[nodiscard]] Marks past() const {
    Marks marks = none();
    for (std::size_t i = 0; i < count(); ++i)
      std::fill_n(marks.begin() + static_cast<long>(i * count()), i + 1, 1);
    return marks;
  }

  void add(Marks& to, const Marks& more) const {
    if (to.empty()) to = none();
    for (std::size_t at = 0; at < to.size() && !more.empty(); ++at) to[at] |= more[at];
  }
  // Past pairs that are not among these.
  [[nodiscard]] Marks past_without(const Marks& left_out) const {
    Marks marks = past();
    for (std::size_t at = 0; at < left_out.size(); ++at) marks[at] &= !left_out[at];
    return marks;
  }

  // The pairs at which all numbers of an operand are 0 (or none of them is), beside a map with these axes.
  [[nodiscard]] Marks pairs_where(NodeId id, NodeId beside, bool zero) const {
    if (value(id).kind == Kind::pairs) return zero ? zero_[id] : Marks();
    if (!is_map(beside)) return {};
    const Numbers numbers = trace_.numbers[id];
    if (value(id).depends() || numbers.empty()) return {};
    const RowValue& map = value(beside);
    const Shape &shape = trace_.graph[id].shape, &whole = trace_.graph[beside].shape;
    const auto stride = [&](std::size_t axis) -> std::pair<std::size_t, std::size_t> {
      const std::size_t from_end = whole.size() - axis;
      if (from_end > shape.size()) return {1, 1};
      return {strides_of(shape)[shape.size() - from_end], shape[shape.size() - from_end]};
    };
    const auto [row_stride, rows] = stride(map.row);
    const auto [key_stride, keys] = stride(map.key);
    Marks by_axes(rows * keys, 1);
    for (std::size_t at = 0; at < numbers.size(); ++at) {
      const std::size_t i = at / row_stride % rows, j = at / key_stride % keys;
      if ((numbers[at] == 0) != zero) by_axes[i * keys + j] = 0;
    }
    Marks marks = none();
    for (std::size_t i = 0; i < count(); ++i) {
      for (std::size_t j = 0; j < count(); ++j)
        marks[i * count() + j] =
            by_axes[(rows == 1 ? 0 : i) * keys + (keys == 1 ? 0 : j + map.lead)];
    }
    return marks;
  }

  [[nodiscard]] bool along_keys(NodeId softmax) const {
    const NodeId in = trace_.graph[softmax].inputs[0];
    return value(in).kind == Kind::pairs && value(in).key + 1 == trace_.graph[in].shape.size();
  }

  // What a softmax excludes: its mask.
  [[nodiscard]] Marks excluded(NodeId id) const {
    const Node& node = trace_.graph[id];
    const std::size_t mask = node.primitive == &p::softmax ? 1 : 2;
    if (node.inputs.size() <= mask || !along_keys(id)) return {};
    return pairs_where(node.inputs[mask], id, true);
  }

  [[nodiscard]] Marks zeros_of(NodeId id) const {
    const Node& node = trace_.graph[id];
    const auto zeros = [&](std::size_t k) { return pairs_where(node.inputs[k], id, true); };
    if (weighs_keys(node)) return excluded(id);
    if (node.primitive == &p::multiply) {
      Marks marks = zeros(0);
      const Marks more = zeros(1);
      if (!marks.empty() || !more.empty()) add(marks, more);
      return marks;
    }
    if (node.primitive == &p::divide) return zeros(0);
    const bool one = node.inputs.size() == 1;
    const bool same = is_view(node) || node.primitive == &p::slice;
    if (!one || (!same && !node.primitive->keeps_rows)) return {};
    if (same || beyond_of(node, std::vector<std::optional<double>>{0.0}) == 0.0) return zeros(0);
    return {};
  }

  [[nodiscard]] NodeId base(NodeId id) const {
    while (!reads_.contains(id) && is_view(trace_.graph[id]) &&
           value(trace_.graph[id].inputs[0]).kind == Kind::rows)
      id = trace_.graph[id].inputs[0];
    return id;
  }

  // The pairs at which node `id` reads its operand `k`.
  void hand_on(NodeId id, std::size_t k) {
    const Node& node = trace_.graph[id];
    const NodeId operand = node.inputs[k];
    const bool map = is_map(id);
    if (value(operand).kind == Kind::pairs) return add(need_[operand], needed_by(id, k));
    if (value(operand).kind != Kind::rows) return;
    const auto kept = reads_.find(base(operand));
    if (kept == reads_.end()) return;
    if (value(id).kind == Kind::keys) return add(kept->second, past());
    if (is_view(node)) return;
    if (map) return add(kept->second, need_[id]);
    // Rows that are added up, and not each multiplied by the same.
    const std::size_t from_end = trace_.graph[operand].shape.size() - value(operand).row;
    const bool weights =
        node.primitive == &p::matmul && k == 1 && from_end == (node.attributes[1] != 0 ? 1 : 2) &&
        (!value(node.inputs[0]).depends() || value(node.inputs[0]).kind == Kind::pairs);
    if (weights) add(kept->second, weighed(node.inputs[0]));
  }

  // Weights of 0 read no values.
  [[nodiscard]] Marks weighed(NodeId weights) const {
    if (is_map(weights)) return past_without(zero_[weights]);
    return past();
  }

  [[nodiscard]] Marks needed_by(NodeId id, std::size_t k) const {
    const Node& node = trace_.graph[id];
    const bool map = is_map(id);
    if (!is_map(node.inputs[k]) || (value(id).kind == Kind::pairs && !map)) return past();
    if (weighs_keys(node) && along_keys(id)) return k == 0 ? past_without(excluded(id)) : past();
    if (node.primitive == &p::matmul && !map) return weighed(node.inputs[k]);
    if (node.primitive == &p::sum && !map) return weighed(node.inputs[k]);
    if (!map) return past();
    const bool same = is_view(node) || node.primitive == &p::slice || node.primitive == &p::concat;
    if (!same && !node.primitive->keeps_rows && !weighs_keys(node)) return past();
    Marks marks = need_[id].empty() ? none() : need_[id];
    const auto only_past = [&](const Marks& left_out) {
      for (std::size_t at = 0; at < left_out.size(); ++at) marks[at] &= !left_out[at];
    };
    if (node.primitive == &p::multiply) only_past(pairs_where(node.inputs[1 - k], id, true));
    if (node.primitive == &p::where && k > 0) only_past(pairs_where(node.inputs[0], id, k == 1));
    return marks;
  }

  const StepTrace& trace_;
  std::vector<Marks> zero_, need_;  // by node, of maps
  std::map<NodeId, Marks> reads_;   // by kept tensor
};

}  // namespace

std::map<NodeId, Marks> rows_read(const StepTrace& trace, const std::vector<NodeId>& kept,
                                  const std::vector<NodeId>& results) {
  return Reader(trace, kept).read(results);
}

}  // namespace attend
