// SPDX-License-Identifier: Apache-2.0
#include "ops/cost.h"

#include <limits>

#include "ops/primitive.h"

namespace attend {
namespace {

std::uint64_t capped_sum(std::uint64_t a, std::uint64_t b) {
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - a;
  return a + (b < room ? b : room);
}

}  // namespace

Cost& Cost::operator+=(const Cost& other) {
  multiply_adds = capped_sum(multiply_adds, other.multiply_adds);
  exponentials = capped_sum(exponentials, other.exponentials);
  bytes = capped_sum(bytes, other.bytes);
  rare_multiply_adds = capped_sum(rare_multiply_adds, other.rare_multiply_adds);
  rare_exponentials = capped_sum(rare_exponentials, other.rare_exponentials);
  exact = exact && other.exact;
  return *this;
}

Cost times(Cost cost, std::uint64_t count) {
  const auto capped = [count](std::uint64_t& part) {
    const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    part = part != 0 && count > most / part ? most : part * count;
  };
  capped(cost.multiply_adds);
  capped(cost.exponentials);
  capped(cost.bytes);
  capped(cost.rare_multiply_adds);
  capped(cost.rare_exponentials);
  return cost;
}

Cost cost_of(const Graph& graph, NodeId id) {
  const Node& node = graph[id];
  if (node.leaf) return {};
  Sizes sizes{node, {}};
  for (const NodeId input : node.inputs) sizes.in.push_back(&graph[input].shape);
  return node.primitive->cost(sizes);
}

Cost cost_of(const Graph& graph, const std::vector<bool>& needed) {
  Cost sum;
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (needed[id]) sum += cost_of(graph, id);
  }
  return sum;
}

}  // namespace attend
