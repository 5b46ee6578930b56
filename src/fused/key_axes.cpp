// SPDX-License-Identifier: Apache-2.0
#include "fused/key_axes.h"

#include <algorithm>

#include "fused/row_axis.h"
#include "ops/intent.h"
#include "ops/primitives/records.h"
#include "ops/row_axes.h"

namespace attend::fused {

const Placed* place_of(const Places& places, NodeId id) {
  for (const Placed& one : places)
    if (one.id == id) return &one;
  return nullptr;
}

std::size_t index_of(const Places& places, const Placed& one) {
  return static_cast<std::size_t>(std::find(places.begin(), places.end(), one) - places.begin());
}

std::size_t KeyAxes::before_row(std::size_t row) const {
  const auto all = static_cast<std::ptrdiff_t>(keys);
  return static_cast<std::size_t>(
      std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(row) + after, 1, all));
}

namespace {

namespace p = primitives;

// What is known of a tensor.
struct Columns {
  KeyAxes::Axis axis = {};  // of keys
  std::optional<double> behind =
      {};                 // the number of all keys behind those of a row; of a constant its number
  std::size_t shift = 0;  // its first keys are left out
};
using Maybe = std::optional<Columns>;  // nothing: what lies behind a row's keys may matter

class Walk {
 public:
  Walk(const Graph& graph, std::size_t keys, std::ptrdiff_t after)
      : graph_(graph), keys_(keys), after_(after) {}

  // An operand from outside. `row`: its axis of rows, or none.
  [[nodiscard]] Maybe outside(NodeId id, KeyAxes::Axis row) const {
    const Node& node = graph_[id];
    Columns found;
    for (std::size_t axis = 0; axis < node.shape.size(); ++axis) {
      if (axis == row || node.shape[axis] != keys_) continue;
      if (found.axis) return {};
      found.axis = axis;
    }
    if (node.primitive == &p::fill && !node.leaf) found.behind = node.attributes.number;
    if (row && found.axis && ends({id, *row}, *found.axis)) found.behind = 0;
    return found;
  }

  [[nodiscard]] Maybe through(const Placed& at, const std::vector<Columns>& in) const {
    const Node& node = graph_[at.id];
    const bool keyed =
        std::ranges::any_of(in, [](const Columns& one) { return one.axis.has_value(); });
    Maybe found = keyed || repeats(node) ? of(node, at.axis, in) : Columns{};
    if (!found || !found->axis) return found;
    if (*found->axis == at.axis || node.shape[*found->axis] + found->shift != keys_) return {};
    if (ends(at, *found->axis)) found->behind = 0;
    return found;
  }

 private:
  // Whether a mask leaves nothing behind the keys of a row.
  [[nodiscard]] bool ends(const Placed& at, std::size_t keys) const {
    const std::size_t rank = graph_[at.id].shape.size();
    const MaybeIntent mask =
        at.axis + 2 == rank && keys + 1 == rank ? mask_intent(graph_, at.id) : std::nullopt;
    return mask && mask->after <= after_;
  }
  // Whether an axis of keys may begin here.
  static bool repeats(const Node& node) {
    return node.primitive == &p::broadcast_to || node.primitive == &p::fill;
  }

  static Maybe without_axis(bool left_out) { return left_out ? Maybe(Columns{}) : Maybe(); }
  static Maybe with_axis(std::size_t axis, std::optional<double> behind = {}) {
    return Columns{axis, behind};
  }

  [[nodiscard]] Maybe of(const Node& node, std::size_t row, const std::vector<Columns>& in) const {
    const auto is = [&](const Primitive& one) { return node.primitive == &one; };
    if (repeats(node)) return by_cell(node, row, in);
    const Attributes& a = node.attributes;
    const auto shape = [&](std::size_t k) -> const Shape& { return graph_[node.inputs[k]].shape; };
    const auto is_last = [&](std::size_t k) {
      return in[k].axis && *in[k].axis + 1 == shape(k).size();
    };
    const Columns& x = in[0];
    const auto along = [&] { return axis_index(a[0], shape(0).size()); };
    if (is(p::slice) && x.axis == along()) {
      if (x.shift != 0 || x.behind != 0.0 || a[2] != static_cast<long>(keys_)) return {};
      return Columns{x.axis, 0.0, static_cast<std::size_t>(a[1])};
    }
    if (is(p::concat) && x.shift > 0) {
      // The keys move to the front, and zeros follow.
      const bool zeros = in.size() == 2 && !in[1].axis && in[1].behind == 0.0;
      return zeros && x.axis == along() && shape(1)[along()] == x.shift ? with_axis(along(), 0.0)
                                                                        : Maybe();
    }
    if (std::ranges::any_of(in, [](const Columns& one) { return one.shift > 0; })) return {};
    if (is(p::softmax) || is(p::entmax)) {
      const std::size_t mask = is(p::softmax) ? 1 : 2;
      const bool ended = in.size() > mask && is_last(mask) && in[mask].behind == 0.0;
      return ended && is_last(0) ? with_axis(node.shape.size() - 1, 0.0) : Maybe();
    }
    if (node.primitive->keeps_rows) return by_cell(node, row, in);
    if (is(p::sum) || is(p::max)) {
      const bool sum = is(p::sum);
      // No score is as low as what takes the place of those that a mask excludes.
      if (x.axis == along())
        return without_axis(sum ? x.behind == 0.0 : x.behind && *x.behind < -1e38);
      const std::size_t gone = a[1] == 0 && *x.axis > along() ? 1 : 0;
      return with_axis(*x.axis - gone, !sum || x.behind == 0.0 ? x.behind : std::nullopt);
    }
    if (is(p::cumsum)) {
      const bool zero = x.behind == 0.0, back = a[1] != 0;
      if (x.axis == along() && back && !zero) return {};
      return with_axis(*x.axis, zero && (back || x.axis != along()) ? x.behind : std::nullopt);
    }
    if (is(p::hinges)) {
      const bool only =
          std::none_of(in.begin() + 1, in.end(), [](const Columns& one) { return one.axis; });
      return only ? with_axis(*x.axis) : Maybe();
    }
    // `take` may also pick from a row that each key has.
    if (is(p::take) && x.axis && in[1].axis == x.axis && !is_last(1)) return with_axis(*x.axis);
    if (is(p::take)) return !x.axis && is_last(1) ? with_axis(*in[1].axis) : Maybe();
    if (is(p::put)) return without_axis(is_last(0) && is_last(1) && x.behind == 0.0);
    if (is(p::permute)) {
      for (std::size_t axis = 0; axis < node.shape.size(); ++axis) {
        if (axis_index(a[axis], node.shape.size()) == x.axis) return with_axis(axis, x.behind);
      }
    }
    if (is(p::reshape)) {
      const auto axis = axis_after_reshape(shape(0), *x.axis, node.shape);
      return axis ? with_axis(*axis, x.behind) : Maybe();
    }
    if (is(p::slice)) return x;
    if (is(p::matmul) || is(p::squared_gaps)) return product(node, in);
    return {};
  }

  // Axes lie on each other, counted from the end.
  [[nodiscard]] Maybe by_cell(const Node& node, std::size_t row,
                              const std::vector<Columns>& in) const {
    const std::size_t rank = node.shape.size();
    KeyAxes::Axis axis;
    std::vector<std::optional<double>> behind;
    for (std::size_t k = 0; k < in.size(); ++k) {
      behind.push_back(in[k].behind);
      if (!in[k].axis) continue;
      const std::size_t at = *in[k].axis + rank - graph_[node.inputs[k]].shape.size();
      if (axis && axis != at) return {};
      axis = at;
    }
    for (std::size_t at = 0; repeats(node) && at < rank; ++at) {
      if (at == row || at == axis || node.shape[at] != keys_) continue;
      if (axis) return {};
      axis = at;
    }
    const std::size_t from_end = axis ? rank - *axis : rank + 1;
    for (std::size_t k = 0; k < in.size(); ++k) {
      const Shape& own = graph_[node.inputs[k]].shape;
      if (!in[k].axis && own.size() >= from_end && own[own.size() - from_end] != 1) return {};
    }
    if (node.primitive == &p::fill) return Columns{axis, node.attributes.number};
    return Columns{axis, repeats(node) ? in[0].behind : beyond_of(node, behind)};
  }

  [[nodiscard]] Maybe product(const Node& node, const std::vector<Columns>& in) const {
    const bool gaps = node.primitive == &p::squared_gaps;
    const std::size_t rank = node.shape.size();
    // Counted from the end, the axis that is summed over and the other one, of each operand.
    const bool turned[2] = {!gaps && node.attributes[0] != 0, gaps || node.attributes[1] != 0};
    const auto from_end = [&](std::size_t k) {
      return in[k].axis ? graph_[node.inputs[k]].shape.size() - *in[k].axis : 0;
    };
    const std::size_t summed[2] = {turned[0] ? 2U : 1U, turned[1] ? 1U : 2U};
    if (from_end(0) == summed[0] || from_end(1) == summed[1]) {
      const bool both = from_end(0) == summed[0] && from_end(1) == summed[1];
      return without_axis(!gaps && both && (in[0].behind == 0.0 || in[1].behind == 0.0));
    }
    if (from_end(0) > 2 || from_end(1) > 2 || (in[0].axis && in[1].axis)) return {};
    return with_axis(in[0].axis ? rank - 2 : rank - 1);
  }

  const Graph& graph_;
  std::size_t keys_;
  std::ptrdiff_t after_;
};

}  // namespace

std::optional<KeyAxes> key_axes(const Graph& graph, const Places& nodes, const Places& given,
                                const Places& whole, const std::vector<NodeId>& results) {
  KeyAxes found;
  found.after = -unbounded;
  for (const Places* places : {&nodes, &given}) {
    for (const auto& [id, axis] : *places) {
      const Shape& shape = graph[id].shape;
      const MaybeIntent mask = shape.size() == axis + 2 ? mask_intent(graph, id) : std::nullopt;
      if (!mask || mask->after == unbounded) continue;
      if (found.keys != 0 && found.keys != shape.back()) return {};
      found.keys = shape.back();
      found.after = std::max(found.after, mask->after);
    }
  }
  if (found.keys < 2) return {};
  const Walk walk(graph, found.keys, found.after);
  std::vector<Columns> all[3];
  const Places* const from[] = {&given, &whole};
  for (const std::size_t k : {0U, 1U}) {
    for (const Placed& one : *from[k]) {
      const Maybe known = walk.outside(one.id, k == 0 ? KeyAxes::Axis(one.axis) : std::nullopt);
      if (!known) return {};
      all[k].push_back(*known);
      (k == 0 ? found.given : found.whole).push_back(known->axis);
    }
  }
  for (const Placed& one : nodes) {
    std::vector<Columns> in;
    for (std::size_t k = 0; k < graph[one.id].inputs.size(); ++k) {
      const RowAxis own = row_axis(graph, graph[one.id], one.axis, k);
      const NodeId id = graph[one.id].inputs[k];
      const bool fixed = own.kind == RowAxis::Kind::fixed;
      const std::size_t inside = fixed ? nodes.size() : index_of(nodes, {id, own.axis});
      if (inside < nodes.size())
        in.push_back(all[2][inside]);
      else
        in.push_back(fixed ? all[1][index_of(whole, {id, 0})]
                           : all[0][index_of(given, {id, own.axis})]);
    }
    const Maybe known = walk.through(one, in);
    const bool read = std::ranges::find(results, one.id) != results.end();
    if (!known || (read && known->axis)) return {};
    all[2].push_back(*known);
    found.nodes.push_back(known->axis);
  }
  return found;
}

}  // namespace attend::fused
