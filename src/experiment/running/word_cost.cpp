// SPDX-License-Identifier: Apache-2.0
#include "experiment/running/word_cost.h"

#include <utility>

#include "ops/primitives/records.h"
#include "ops/scan.h"

namespace attend {
namespace {

// The counts of a graph in which some leaves hold one word a row, as a 1 among zeros. A product of such rows with a
// table picks rows of it: nothing is multiplied, and no other row is read.
class Counter {
 public:
  Counter(const Graph& graph, std::vector<bool> words) : graph_(graph), words_(std::move(words)) {
    words_.resize(graph.size(), false);
    for (NodeId id = 0; id < graph.size(); ++id) {
      const Node& node = graph[id];
      const bool moves = node.primitive == &primitives::reshape ||
                         (node.primitive == &primitives::slice && node.attributes[0] != -1);
      if (!node.leaf && moves && words_[node.inputs[0]])
        words_[id] = node.shape.back() == graph[node.inputs[0]].shape.back();
    }
  }

  [[nodiscard]] Cost of(NodeId id) const {
    const Node& node = graph_[id];
    if (node.leaf) return {};
    if (const auto& body = node.attributes.body) return of_scan(node, *body);
    const bool looked_up = node.primitive == &primitives::matmul && words_[node.inputs[0]];
    if (looked_up && node.attributes == Attributes{{0, 0}})
      return {.bytes = 2 * std::uint64_t{element_count(node.shape)} * sizeof(real)};
    if (looked_up && node.attributes == Attributes{{1, 0}}) return of_table(node);
    return cost_of(graph_, id);
  }

  [[nodiscard]] Cost of(const std::vector<bool>& needed) const {
    Cost sum;
    for (NodeId id = 0; id < graph_.size(); ++id) {
      if (needed[id]) sum += of(id);
    }
    return sum;
  }

 private:
  // The gradient of a table: the row of a word grows by each row that was read there.
  [[nodiscard]] Cost of_table(const Node& node) const {
    const std::uint64_t added = element_count(graph_[node.inputs[1]].shape),
                        table = element_count(node.shape);
    return {.multiply_adds = added, .bytes = (added + table) * sizeof(real)};
  }

  // A step reads words in a row of the scan's operands, or from outside.
  [[nodiscard]] Cost of_scan(const Node& scan, const ScanBody& body) const {
    std::vector<bool> words(body.graph->size(), false);
    const std::size_t first = body.states.size(), rows = body.rows.size();
    for (std::size_t k = 0; k < rows; ++k) words[body.rows[k]] = words_[scan.inputs[first + k]];
    for (std::size_t k = 0; k < body.captured.size(); ++k)
      words[body.captured[k]] = words_[scan.inputs[first + rows + k]];
    const Counter step(*body.graph, std::move(words));
    Cost once, each;
    for (const NodeId id : body.plan.once) once += step.of(id);
    for (const NodeId id : body.plan.each) each += step.of(id);
    return once += times(each, body.count);
  }

  const Graph& graph_;
  std::vector<bool> words_;
};

}  // namespace

Cost cost_of(const Graph& graph, const std::vector<bool>& needed, std::vector<bool> words) {
  return Counter(graph, std::move(words)).of(needed);
}

}  // namespace attend
