// SPDX-License-Identifier: Apache-2.0
// Nodes on a ring, each with a digit: "3 7 1 4 9" -> the largest digit among the neighbours of each node, its own left
// out. The graph of a model for it connects the same nodes.
#include <algorithm>
#include <cmath>

#include "ops/error.h"
#include "training/solved.h"

namespace attend::neighbours_entry {
namespace {

class Neighbours : public SolvedSource {
 public:
  explicit Neighbours(const TaskSettings& settings)
      : SolvedSource(symbols(10), symbols(10), false),
        nodes_(settings.count("nodes")),
        reach_(settings.count("reach")) {
    if (2 * reach_ >= nodes_)
      refuse("/reach", std::to_string(2 * reach_) + " neighbours of each node need at least " +
                           std::to_string(2 * reach_ + 1) + " nodes, but there are " +
                           std::to_string(nodes_));
  }
  [[nodiscard]] double space() const override {
    return std::pow(10.0, static_cast<double>(nodes_));
  }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    Words source(nodes_);
    for (auto& one : source) one = word(draws.below(10));
    return source;
  }

  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    if (source.size() != nodes_) return std::nullopt;
    Solution solution;
    for (std::size_t i = 0; i < nodes_; ++i) {
      std::vector<std::size_t> near, largest;
      for (std::size_t step = 1; step <= reach_; ++step) {
        near.push_back((i + step) % nodes_);
        near.push_back((i + nodes_ - step) % nodes_);
      }
      std::uint16_t most = 0;
      for (const std::size_t j : near) most = std::max(most, source[j]);
      std::copy_if(near.begin(), near.end(), std::back_inserter(largest),
                   [&](std::size_t j) { return source[j] == most; });
      solution.add(most, largest);
    }
    return solution;
  }

 private:
  std::size_t nodes_, reach_;
};

}  // namespace

extern const Task neighbours_task;
const Task neighbours_task{.id = "task-neighbours",
                           .fields = source_and_target,
                           .knobs = {{"nodes", 8, 3, 16}, {"reach", 2, 1, 3}},
                           .open = opened<Neighbours>};
}  // namespace attend::neighbours_entry
