// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ops/graph.h"

namespace attend {

// Steps that compute  softmax(scale q k^T + bias) v,  which PyTorch can do in one call.
struct AttentionChain {
  struct Factor {
    NodeId number;
    bool divides;
  };
  NodeId context = 0, q = 0, k = 0, v = 0;
  std::vector<Factor> scale;
  std::optional<NodeId> bias, mask;
  std::vector<NodeId> steps;  // between the operands and the context: scores and weights
  bool causal =
      false;  // the mask allows a query the keys up to its own place: the call knows that by itself

  // What the call reads.
  [[nodiscard]] std::vector<NodeId> operands() const;
};

// The chain whose context is this node; nothing where it is no such product.
std::optional<AttentionChain> attention_ending_in(const Graph& graph, NodeId context);

}  // namespace attend
