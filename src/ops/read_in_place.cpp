// SPDX-License-Identifier: Apache-2.0
#include "ops/read_in_place.h"

#include <numeric>

#include "ops/primitives/records.h"
#include "ops/rewrite.h"

namespace attend {
namespace {

namespace p = primitives;

// Whether a node is a leaf that lies elsewhere, with its last two axes exchanged.
bool is_transposed_leaf(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.leaf || node.primitive != &p::permute) return false;
  const Node& of = graph[node.inputs[0]];
  if (!of.lies_elsewhere() || of.shape.size() < 2) return false;
  std::vector<long> axes(of.shape.size());
  std::iota(axes.begin(), axes.end(), 0L);
  std::swap(axes[axes.size() - 1], axes[axes.size() - 2]);
  return node.attributes.integers == axes;
}

}  // namespace

Program read_in_place(const Program& program) {
  const Graph& graph = program.graph();
  Rewrite to(program);
  bool copied = false;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const Node& node = graph[id];
    if (node.leaf || node.primitive != &p::matmul) continue;
    std::vector<NodeId> inputs = node.inputs;
    Attributes attributes = node.attributes;
    for (std::size_t k = 0; k < inputs.size(); ++k) {
      if (!is_transposed_leaf(graph, inputs[k])) continue;
      inputs[k] = graph[inputs[k]].inputs[0];
      attributes.integers[k] = attributes.integers[k] == 0 ? 1 : 0;
    }
    if (inputs == node.inputs) continue;
    if (!copied) to.copy_whole();
    copied = true;
    to.graph().replace(id, p::matmul, std::move(inputs), std::move(attributes));
    to.graph().rename(to.graph().var(id), node.name);
  }
  return copied ? to.program() : program;
}

}  // namespace attend
