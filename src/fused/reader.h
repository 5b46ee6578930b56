// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"
#include "ops/primitives/records.h"

namespace attend::fused {

// What one recording says, read node by node. Each function is false where a node is something else.
class Reader {
 public:
  explicit Reader(const Graph& graph) : graph_(graph) {}

  const Node& operator[](NodeId id) const {
    const Node* node = &graph_[id];
    while (node->primitive == &primitives::reshape && graph_[node->inputs[0]].shape == node->shape)
      node = &graph_[node->inputs[0]];
    return *node;
  }
  bool is(const Node& node, const Primitive& primitive) const {
    return node.primitive == &primitive;
  }
  bool number(NodeId id, double& value) const {
    const Node& node = (*this)[id];
    if (!is(node, primitives::fill) || node.leaf) return false;
    value = node.attributes.number;
    return true;
  }
  bool index(NodeId id, bool rows) const {
    const Node& node = (*this)[id];
    return is(node, primitives::iota) && node.shape.size() == (rows ? 2U : 1U);
  }
  // i - j
  bool gap(NodeId id) const {
    const Node& node = (*this)[id];
    return is(node, primitives::subtract) && index(node.inputs[0], true) &&
           index(node.inputs[1], false);
  }

 private:
  const Graph& graph_;
};

}  // namespace attend::fused
