// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "fused/softmax_attention.h"
#include "ops/graph.h"

// A chain of nodes whose place one node of softmax attention can take.
namespace attend::fused {

// A factor of the scores, a leaf or numbers of the rows: it goes to the queries, by the node that it had.
struct Factor {
  NodeId node;  // the product or quotient
  NodeId by;
};

struct Chain {
  NodeId weights = 0;      // their maps say which heads, queries and keys there are
  std::vector<NodeId> in;  // q, k, v, bias, mask
  Parts parts;
  NodeId place = 0;                       // which the fused node takes
  std::vector<Factor> factors = {};       // from the inside out
  std::optional<NodeId> difference = {};  // the node that subtracts the bias
  std::optional<NodeId> cap = {};
  std::optional<NodeId> shift = {};        // the node that shifts the scores with their bias
  std::optional<Factor> bias_factor = {};  // of the bias, too
  std::vector<NodeId> relative = {};       // p, the keys and perhaps the values of distances
  std::vector<NodeId> rests = {};          // nodes that take the weights of the sinks
  bool shifted = false;  // rows of scores have some number added, which only a softmax does not see
};

// Whether a tensor has one number for each row of these maps, or one for all.
bool is_of_rows(const Shape& shape, const Shape& maps);

// Whether the kernel takes these shapes, and every operand was recorded before the place that the fused node takes. Its
// heads are grouped as the queries are, so the context's are too; bias, mask and weights may be grouped in another way,
// because the kernel counts heads in the order of the memory.
bool fits(const Graph& graph, const Chain& chain, const Shape& scores, const Shape& context);

}  // namespace attend::fused
