// SPDX-License-Identifier: Apache-2.0
#include "export/nouns.h"

#include <algorithm>
#include <vector>

#include "ops/primitive.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {

namespace p = primitives;

constexpr NodeId longest_branch = 64;  // steps between a row and the sum that adds it again

bool is_leaf(const Graph& graph, NodeId id) {
  while (graph[id].primitive == &p::reshape) id = graph[id].inputs[0];
  return graph[id].primitive == nullptr;
}

bool is_projection(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.primitive == &p::matmul)
    return node.attributes[1] == 0 && is_leaf(graph, node.inputs[1]) &&
           !is_leaf(graph, node.inputs[0]);
  return node.primitive == &p::add && is_projection(graph, node.inputs[0]) &&
         is_leaf(graph, node.inputs[1]);
}

// Whether a step is computed from a nearby earlier one.
bool comes_from(const Graph& graph, NodeId id, NodeId source) {
  if (id <= source || id - source > longest_branch) return false;
  std::vector<bool> reached(id - source + 1, false);
  reached.back() = true;
  for (NodeId at = id; at > source; --at) {
    if (!reached[at - source]) continue;
    for (const NodeId input : graph[at].inputs)
      if (input >= source) reached[input - source] = true;
  }
  return reached.front();
}

// Whether a comparison reads nothing but the numbers of rows and columns.
bool is_of_places(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.primitive == &p::iota || node.primitive == &p::fill) return true;
  return node.primitive != nullptr && !node.inputs.empty() &&
         std::all_of(node.inputs.begin(), node.inputs.end(),
                     [&](NodeId input) { return is_of_places(graph, input); });
}

}  // namespace

std::string name_of_step(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  // "F" is torch.nn.functional.
  if (!node.name.empty()) return node.name == "F" ? "features" : node.name;
  const Primitive* const own = node.primitive;
  if (is_projection(graph, id)) return "projected";
  if (own == &p::add && node.shape == graph[node.inputs[0]].shape &&
      node.shape == graph[node.inputs[1]].shape &&
      (comes_from(graph, node.inputs[0], node.inputs[1]) ||
       comes_from(graph, node.inputs[1], node.inputs[0])))
    return "residual";
  if (own == &p::multiply) {
    if (node.inputs[0] == node.inputs[1]) return "squares";
    for (const NodeId input : node.inputs)
      if (graph[input].primitive == &p::sigmoid) return "gated";
  }
  if (own == &p::matmul && graph[node.inputs[0]].primitive == &p::softmax) return "context";
  if (own == &p::softmax) return "weights";
  if (own == &p::permute) return "transposed";
  if ((own == &p::greater || own == &p::equal || own == &p::multiply) && is_of_places(graph, id))
    return "mask";
  return std::string(own->noun.empty() ? own->name : own->noun);
}

}  // namespace attend
