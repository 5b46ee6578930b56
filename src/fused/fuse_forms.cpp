// SPDX-License-Identifier: Apache-2.0
#include "fused/fuse_forms.h"

#include <algorithm>
#include <optional>

#include "fused/feature_attention.h"
#include "fused/operands.h"
#include "fused/uses.h"
#include "ops/intent.h"
#include "ops/primitives/records.h"

namespace attend::fused {
namespace {

class Finder {
 public:
  Finder(const Graph& graph, const std::vector<Var>& wanted)
      : graph_(graph), uses_(graph, wanted) {}

  // The nodes of a context that nothing else reads; nothing where there is no such context.
  std::optional<Between> at(NodeId context, std::size_t from_pairs) const {
    const Intent* stated = graph_[context].intent.get();
    if (!uses_.needed[context] || stated == nullptr || !stated->is_context() ||
        pairs_of(*stated) < from_pairs || !fits(*stated, context) ||
        intent_of(graph_, context) == nullptr)
      return std::nullopt;
    Between all = nodes_between(graph_, context, stated->operands);
    if (is_read_elsewhere(graph_, all, uses_.count)) return std::nullopt;
    return all;
  }

  // They are no longer computed, but for the last.
  void drop(const Between& all) {
    for (const NodeId id : all) uses_.needed[id] = id == all.back() && uses_.needed[id];
  }

 private:
  [[nodiscard]] const Shape& shape(NodeId id) const { return graph_[id].shape; }

  [[nodiscard]] std::size_t pairs_of(const Intent& intent) const {
    const Shape &q = shape(intent.operands[0]), &k = shape(intent.operands[1]);
    if (q.size() < 2 || k.size() < 2) return 0;
    return batch_of(q) * q.end()[-2] * k.end()[-2];
  }

  // Whether leading extents broadcast to those of the queries.
  static bool spreads(const Shape& x, const Shape& queries) {
    if (x.size() < 2 || x.size() > queries.size()) return false;
    const std::size_t more = queries.size() - x.size();
    for (std::size_t axis = 0; axis + 2 < x.size(); ++axis) {
      if (x[axis] != 1 && x[axis] != queries[axis + more]) return false;
    }
    return true;
  }

  // The same for planes [.. rounds d buckets/2] of queries [.. n d], each head's its own or one for all.
  static bool has_planes(const Shape& x, const Shape& queries, const Intent& intent) {
    if (x.size() < 3 || x.size() > queries.size() + 1 || x.end()[-2] != queries.back() ||
        x.end()[-3] != intent.global || 2 * x.back() != intent.c)
      return false;
    const std::size_t more = queries.size() + 1 - x.size();
    for (std::size_t axis = 0; axis + 3 < x.size(); ++axis) {
      if (x[axis] != queries[axis + more]) return false;
    }
    return true;
  }

  // Whether the kernel takes these shapes and gives the context's.
  [[nodiscard]] bool fits(const Intent& intent, NodeId context) const {
    return intent.kind == Intent::hashed ? fits_hashed(intent, context)
                                         : fits_features(intent, context);
  }

  [[nodiscard]] bool fits_hashed(const Intent& intent, NodeId context) const {
    const std::vector<NodeId>& in = intent.operands;
    const Shape &q = shape(in[0]), &v = shape(in[1]);
    Shape out = q;
    out.back() = v.back();
    return spreads(q, q) && spreads(v, q) && v.end()[-2] == q.end()[-2] && out == shape(context) &&
           has_planes(shape(in[2]), q, intent);
  }

  [[nodiscard]] bool fits_features(const Intent& intent, NodeId context) const {
    const std::vector<NodeId>& in = intent.operands;
    const Features& features = intent.of;
    const bool drawn = is_drawn(features.map);
    const bool gated = intent.kind == Intent::delta || features.gated;
    if (in.size() != 3U + (drawn ? 1 : 0) + (gated ? 1 : 0)) return false;
    const Shape& q = shape(in[0]);
    if (std::any_of(in.begin(), in.end(), [&](NodeId id) { return !spreads(shape(id), q); }))
      return false;
    const Shape &k = shape(in[1]), &v = shape(in[2]);
    Shape out = q;
    out.back() = v.back();
    const std::size_t m = q.end()[-2], n = k.end()[-2];
    if (out != shape(context) || k.back() != q.back() || v.end()[-2] != n) return false;
    if (drawn && shape(in[3]).back() != q.back()) return false;
    if (!gated) return true;
    const Shape& gates = shape(in.back());
    return m == n && gates.back() == 1 && (gates.end()[-2] == n || gates.end()[-2] == 1);
  }

  const Graph& graph_;
  Uses uses_;
};

// The node that is computed first: the context, or the last before it that comes after all operands, if the kernel's
// result has another column.
std::optional<NodeId> place_of(const Between& all, const Intent& intent) {
  const bool apart = intent.kind == Intent::hashed || intent.of.divides;
  if (apart && all.size() < 2) return std::nullopt;
  const NodeId place = apart ? all.end()[-2] : all.back();
  const auto& in = intent.operands;
  const bool last = std::all_of(in.begin(), in.end(), [&](NodeId id) { return id < place; });
  return last ? std::optional(place) : std::nullopt;
}

const Primitive& primitive_of(const Intent& intent) {
  if (intent.kind == Intent::delta) return delta_attention;
  return intent.kind == Intent::hashed ? hashed_attention : feature_attention;
}

}  // namespace

std::size_t fuse_forms(Graph& graph, const std::vector<Var>& wanted, std::size_t from_pairs) {
  Finder finder(graph, wanted);
  std::size_t found = 0;
  // A context may be computed from others: the last goes first.
  for (NodeId context = static_cast<NodeId>(graph.size()); context-- > 0;) {
    const std::optional<Between> all = finder.at(context, from_pairs);
    if (!all) continue;
    const Intent intent = *graph[context].intent;
    const std::optional<NodeId> place = place_of(*all, intent);
    if (!place) continue;
    const auto width = static_cast<long>(graph[context].shape.back());
    graph.replace(*place, primitive_of(intent), intent.operands, form_attributes(intent));
    if (*place != context) graph.replace(context, primitives::slice, {*place}, {{-1, 0, width}});
    finder.drop(*all);
    ++found;
  }
  return found;
}

}  // namespace attend::fused
