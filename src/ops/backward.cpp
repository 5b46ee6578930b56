// SPDX-License-Identifier: Apache-2.0
#include "ops/backward.h"

#include <algorithm>
#include <map>
#include <utility>

#include "ops/compose.h"
#include "ops/error.h"
#include "ops/module_places.h"
#include "ops/primitive.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

// The gradient of one slice of a node. Those of many slices (the rows of a recurrent mechanism) are
// put together once: to widen each by itself would cost the whole node for every slice.
struct Piece {
  long axis;  // from the end
  std::size_t start, stop;
  Var gradient;
};

Var zeros_between(Var like, long axis, std::size_t count) {
  Shape shape = like.shape();
  shape[axis_index(axis, shape.size())] = count;
  return zeros(like.graph(), shape);
}

Var add_to(Var sum, Var part) { return sum ? sum + part : part; }

// The sum of the pieces as a tensor of `shape`: runs of disjoint pieces along one axis are joined.
Var assembled(const std::vector<Piece>& pieces, const Shape& shape) {
  // By axis and start; of equals the first recorded comes first.
  std::multimap<std::pair<long, std::size_t>, const Piece*> open;
  for (const Piece& piece : pieces) open.emplace(std::pair(piece.axis, piece.start), &piece);
  Var sum;
  while (!open.empty()) {
    const Piece& first = *open.begin()->second;
    const std::size_t extent = shape[axis_index(first.axis, shape.size())];
    std::vector<Var> run;
    std::size_t at = 0;
    for (auto next = open.begin(); next != open.end() && next->first.first == first.axis;) {
      const Piece& piece = *next->second;
      if (piece.start < at) {
        ++next;
        continue;
      }
      if (piece.start > at)
        run.push_back(zeros_between(piece.gradient, piece.axis, piece.start - at));
      run.push_back(piece.gradient);
      at = piece.stop;
      next = open.erase(next);
    }
    if (at < extent) run.push_back(zeros_between(first.gradient, first.axis, extent - at));
    sum = add_to(sum, concat(run, first.axis));
  }
  return sum;
}

}  // namespace

std::vector<Var> gradients(Var of, Var cotangent, const std::vector<Var>& wrt) {
  return gradients(std::vector<Root>{{of, cotangent}}, wrt);
}

std::vector<Var> gradients(const std::vector<Root>& roots, const std::vector<Var>& wrt) {
  Graph& graph = roots.at(0).of.graph();
  NodeId last = 0;
  for (const auto& [of, cotangent] : roots) {
    last = std::max(last, of.id());
    if (cotangent.shape() == of.shape()) continue;
    refuse("expected a cotangent of shape " + to_text(of.shape()) + ", found " +
           to_text(cotangent.shape()));
  }
  // Only nodes on a path from `wrt` to a root take part.
  std::vector<bool> wanted(last + 1, false);
  for (const Var& v : wrt) {
    if (v.id() <= last) wanted[v.id()] = true;
  }
  for (NodeId id = 0; id <= last; ++id) {
    for (const NodeId input : graph[id].inputs) {
      if (wanted[input]) wanted[id] = true;
    }
  }
  std::vector<Var> gradient(last + 1);
  for (const auto& [of, cotangent] : roots) {
    if (wanted[of.id()]) gradient[of.id()] = add_to(gradient[of.id()], cotangent);
  }
  std::map<NodeId, std::vector<Piece>> sliced;
  for (NodeId id = last + 1; id-- > 0;) {
    const Node& node = graph[id];
    if (const auto found = sliced.find(id); found != sliced.end()) {
      gradient[id] = add_to(gradient[id], assembled(found->second, node.shape));
    }
    if (node.primitive == &primitives::slice && gradient[id]) {
      const Attributes& a = node.attributes;
      if (wanted[node.inputs[0]]) {
        sliced[node.inputs[0]].push_back(
            {a[0], static_cast<std::size_t>(a[1]), static_cast<std::size_t>(a[2]), gradient[id]});
      }
      continue;
    }
    if (!gradient[id] || node.primitive == nullptr || node.primitive->vjp == nullptr) continue;
    Backward backward{{}, graph.var(id), gradient[id], node.attributes};
    for (const NodeId input : node.inputs) {
      backward.in.push_back(graph.var(input));
      backward.wanted.push_back(wanted[input]);
    }
    const RecordedFor module(graph, node.module);
    const std::vector<Var> parts = node.primitive->vjp(backward);
    for (std::size_t k = 0; k < parts.size(); ++k) {
      const NodeId input = node.inputs[k];
      if (!parts[k] || !wanted[input]) continue;
      gradient[input] = add_to(gradient[input], parts[k]);
    }
  }
  std::vector<Var> result;
  for (const Var& v : wrt) {
    const bool found = v.id() <= last && gradient[v.id()];
    result.push_back(found ? gradient[v.id()] : zeros(graph, v.shape()));
  }
  return result;
}

}  // namespace attend
