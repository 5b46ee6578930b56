// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "ops/graph.h"

namespace attend {

// The numbers of one node, row-major, to look at.
using Numbers = std::span<const real>;

// The numbers of a graph by node, none where they were not kept. Whoever holds them lives as long.
class Values {
 public:
  Values() = default;
  // `stored` gives those of nodes that lie as their file has them, when they are asked for.
  Values(std::vector<Numbers> by_node, std::shared_ptr<const void> holder,
         std::function<Numbers(NodeId)> stored = {})
      : by_node_(std::move(by_node)), holder_(std::move(holder)), stored_(std::move(stored)) {}

  [[nodiscard]] Numbers operator[](NodeId node) const {
    if (node >= by_node_.size()) return {};
    return by_node_[node].empty() && stored_ ? stored_(node) : by_node_[node];
  }
  [[nodiscard]] std::size_t size() const { return by_node_.size(); }

 private:
  std::vector<Numbers> by_node_;
  std::shared_ptr<const void> holder_;
  std::function<Numbers(NodeId)> stored_;
};

}  // namespace attend
