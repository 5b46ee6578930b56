// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "ops/graph.h"

namespace attend {

// The numbers of one node, row-major; shared with a Memo that may hand them out again.
using Numbers = std::shared_ptr<std::vector<real>>;

// The numbers of a graph by node, none where they were not kept.
class Values {
 public:
  Values() = default;
  explicit Values(std::size_t count) : by_node_(count) {}

  [[nodiscard]] const std::vector<real>& operator[](NodeId node) const {
    static const std::vector<real> none;
    return by_node_[node] == nullptr ? none : *by_node_[node];
  }
  [[nodiscard]] Numbers& at(NodeId node) { return by_node_[node]; }
  [[nodiscard]] std::size_t size() const { return by_node_.size(); }

 private:
  std::vector<Numbers> by_node_;
};

}  // namespace attend
