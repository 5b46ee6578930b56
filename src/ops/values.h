// SPDX-License-Identifier: Apache-2.0
#pragma once

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
  Values(std::vector<Numbers> by_node, std::shared_ptr<const void> holder)
      : by_node_(std::move(by_node)), holder_(std::move(holder)) {}

  [[nodiscard]] Numbers operator[](NodeId node) const {
    return node < by_node_.size() ? by_node_[node] : Numbers{};
  }
  [[nodiscard]] std::size_t size() const { return by_node_.size(); }

 private:
  std::vector<Numbers> by_node_;
  std::shared_ptr<const void> holder_;
};

}  // namespace attend
