// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "ops/graph.h"

namespace attend {

// Tells how far an evaluation is: the share of its work that is done, as estimated beforehand.
class Progress {
 public:
  // Hears of a share above 0 and at most 1, a hundred times in one evaluation at most.
  using Listener = std::function<void(double share)>;

  // `work` by node, in any unit.
  Progress(std::vector<double> work, Listener listener);

  // An evaluation begins; these nodes will be computed.
  void begin();
  void expect(NodeId node) { whole_ += work_[node]; }
  // Of the node under way, `done` of `count` equal parts are done.
  void part(NodeId node, std::size_t done, std::size_t count);
  // The node is computed.
  void finish(NodeId node);

 private:
  void tell(double done);

  std::vector<double> work_;
  Listener listener_;
  double whole_ = 0, done_ = 0, told_ = 0;
};

}  // namespace attend
