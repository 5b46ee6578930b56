// SPDX-License-Identifier: Apache-2.0
#include "ops/origin.h"

#include <algorithm>
#include <map>

#include "ops/primitive.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

// A place in an operand.
struct Place {
  std::size_t operand, flat;
};

// Where the cell of a node that moves cells comes from.
Place source_of(const Graph& graph, const Node& node, std::size_t flat) {
  namespace p = primitives;
  if (node.primitive == &p::permute) {
    const Shape& in = graph[node.inputs[0]].shape;
    const Strides strides = strides_of(in);
    std::size_t at = 0;
    for (std::size_t i = node.shape.size(); i-- > 0;) {
      at += flat % node.shape[i] * strides[axis_index(node.attributes[i], in.size())];
      flat /= node.shape[i];
    }
    return {0, at};
  }
  if (node.primitive == &p::slice) {
    const Shape& in = graph[node.inputs[0]].shape;
    const std::size_t axis = axis_index(node.attributes[0], in.size());
    const AxisView part = view_axis(node.shape, axis), whole = view_axis(in, axis);
    const std::size_t along =
        flat / part.inner % part.length + static_cast<std::size_t>(node.attributes[1]);
    return {0, (flat / part.inner / part.length * whole.length + along) * whole.inner +
                   flat % part.inner};
  }
  if (node.primitive == &p::concat) {
    const std::size_t axis = axis_index(node.attributes[0], node.shape.size());
    const AxisView whole = view_axis(node.shape, axis);
    std::size_t along = flat / whole.inner % whole.length;
    for (std::size_t k = 0; k < node.inputs.size(); ++k) {
      const std::size_t extent = graph[node.inputs[k]].shape[axis];
      if (along < extent)
        return {k, (flat / whole.inner / whole.length * extent + along) * whole.inner +
                       flat % whole.inner};
      along -= extent;
    }
  }
  return {0, flat};
}

bool moves_cells(const Node& node) {
  namespace p = primitives;
  return node.primitive == &p::reshape || node.primitive == &p::permute ||
         node.primitive == &p::slice || node.primitive == &p::concat;
}

class Search {
 public:
  // The cells of one node; of a step's node, those of step t begin at t times its size.
  void follow(CellOrigin at) {
    const Node& node = (*at.graph)[at.node];
    if (!moves_cells(node) || !may_go_on(at, node)) {
      found_.push_back(std::move(at));
      return;
    }
    if (node.primitive == &primitives::slice &&
        (*at.graph)[node.inputs[0]].primitive == &primitives::scan && at.body == nullptr)
      return into_scan(at, node);
    const std::size_t size = std::max<std::size_t>(element_count(node.shape), 1);
    std::map<std::size_t, CellOrigin> next;
    for (const auto& [cell, flat] : at.cells) {
      const Place place = source_of(*at.graph, node, flat % size);
      CellOrigin& origin = next[place.operand];
      if (origin.cells.empty()) origin = with(at, node.inputs[place.operand]);
      const std::size_t from = element_count((*at.graph)[origin.node].shape);
      origin.cells.emplace_back(cell, flat / size * from + place.flat);
    }
    for (auto& [operand, origin] : next) follow(std::move(origin));
  }

  std::vector<CellOrigin> found() { return std::move(found_); }

 private:
  static CellOrigin with(const CellOrigin& at, NodeId node) {
    Shape shape = (*at.graph)[node].shape;
    if (at.body != nullptr) shape.insert(shape.begin(), at.body->count);
    return {at.graph, node, at.body, std::move(shape), {}};
  }

  // Not onto leaves, and of a scan within a step not into its own steps. The states of a scan are changed for those who
  // read them behind it, not for the scan itself.
  static bool may_go_on(const CellOrigin& at, const Node& node) {
    return std::none_of(node.inputs.begin(), node.inputs.end(), [&](NodeId id) {
      const Node& input = (*at.graph)[id];
      return input.leaf || input.primitive == nullptr || is_states(*at.graph, input) ||
             (input.primitive == &primitives::scan &&
              (at.body != nullptr || node.primitive != &primitives::slice));
    });
  }

  // The part of a scan that the slice takes.
  static std::size_t part_taken(const Graph& graph, const Node& slice) {
    const ScanBody& body = *graph[slice.inputs[0]].attributes.body;
    return cell_of(body, static_cast<std::size_t>(slice.attributes[1])).part;
  }

  // The states of all steps, as the scan hands them out: reshape(slice(scan)).
  static bool is_states(const Graph& graph, const Node& node) {
    if (node.primitive != &primitives::reshape) return false;
    const Node& slice = graph[node.inputs[0]];
    if (slice.primitive != &primitives::slice ||
        graph[slice.inputs[0]].primitive != &primitives::scan)
      return false;
    return part_taken(graph, slice) < graph[slice.inputs[0]].attributes.body->states.size();
  }

  // What each step computes.
  void into_scan(const CellOrigin& at, const Node& slice) {
    const Node& scan = (*at.graph)[slice.inputs[0]];
    const ScanBody& body = *scan.attributes.body;
    const std::size_t states = body.states.size(), part = part_taken(*at.graph, slice);
    const auto end = static_cast<std::size_t>(slice.attributes[1]) + element_count(slice.shape);
    const bool whole =
        part >= states && end == body.parts[part].offset + element_count(body.parts[part].shape);
    // A step that hands on what it was given computes nothing there.
    const NodeId node = whole ? body.outputs[part - states] : NodeId{0};
    if (!whole || (*body.graph)[node].leaf) return found_.push_back(at);
    CellOrigin origin = with({body.graph.get(), 0, &body, {}, {}}, node);
    origin.cells = at.cells;
    follow(std::move(origin));
  }

  std::vector<CellOrigin> found_;
};

}  // namespace

std::vector<CellOrigin> origins_of(const Graph& graph, NodeId node) {
  CellOrigin root{&graph, node, nullptr, graph[node].shape, {}};
  const std::size_t count = element_count(root.shape);
  for (std::size_t i = 0; i < count; ++i) root.cells.emplace_back(i, i);
  Search search;
  search.follow(std::move(root));
  return search.found();
}

}  // namespace attend
