// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>

#include "ops/graph.h"

namespace attend {

// Nodes that are recorded while it lives get no names, so they are no steps of the result. Some nodes of a scan's step
// are recorded outside of the step. Leaves keep their names, because a parameter may be read here for the first time.
class Unnamed {
 public:
  explicit Unnamed(Graph& graph)
      : graphs_{&graph, &graph.innermost()}, before_{graphs_[0]->size(), graphs_[1]->size()} {}
  ~Unnamed() {
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      for (std::size_t id = before_.at(g); id < graphs_.at(g)->size(); ++id) {
        const Var var = graphs_.at(g)->var(static_cast<NodeId>(id));
        if (var.node().primitive != nullptr) graphs_.at(g)->rename(var, "");
      }
    }
  }
  Unnamed(const Unnamed&) = delete;
  Unnamed& operator=(const Unnamed&) = delete;
  Unnamed(Unnamed&&) = delete;
  Unnamed& operator=(Unnamed&&) = delete;

 private:
  std::array<Graph*, 2> graphs_;
  std::array<std::size_t, 2> before_;
};

}  // namespace attend
