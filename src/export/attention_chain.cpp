// SPDX-License-Identifier: Apache-2.0
#include "export/attention_chain.h"

#include "ops/primitives/records.h"

namespace attend {
namespace {

namespace p = primitives;

class ChainReader {
 public:
  explicit ChainReader(const Graph& graph) : graph_(graph) {}

  std::optional<AttentionChain> ending_in(NodeId context) {
    const Node& product = graph_[context];
    if (product.primitive != &p::matmul || product.attributes[0] != 0 || product.attributes[1] != 0)
      return std::nullopt;
    const NodeId weights = behind_names(product.inputs[0]);
    const Node& softmax = graph_[weights];
    if (softmax.primitive != &p::softmax) return std::nullopt;
    chain_.context = context;
    chain_.v = product.inputs[1];
    chain_.steps.push_back(weights);
    if (softmax.inputs.size() == 2) chain_.mask = softmax.inputs[1];
    if (!read_scores(softmax.inputs[0], true)) return std::nullopt;
    return chain_;
  }

 private:
  // A second name for a step is a reshape, and so is a step that is shown in another shape and read in its own: both
  // change nothing.
  NodeId behind_names(NodeId id) {
    const Shape& shape = graph_[id].shape;
    std::vector<NodeId> passed;
    for (NodeId at = id; graph_[at].primitive == &p::reshape; at = graph_[at].inputs[0]) {
      passed.push_back(at);
      if (graph_[graph_[at].inputs[0]].shape != shape) continue;
      chain_.steps.insert(chain_.steps.end(), passed.begin(), passed.end());
      passed.clear();
      id = graph_[at].inputs[0];
    }
    return id;
  }

  // Scores are a product of queries and keys, scaled by numbers; a bias is added last.
  bool read_scores(NodeId id, bool may_have_bias) {
    id = behind_names(id);
    const Node& node = graph_[id];
    const AttentionChain before = chain_;
    chain_.steps.push_back(id);
    if (node.primitive == &p::matmul && node.attributes[0] == 0 && node.attributes[1] == 1) {
      chain_.q = node.inputs[0];
      chain_.k = node.inputs[1];
      return true;
    }
    const bool sum = node.primitive == &p::add, scaled = node.primitive == &p::multiply;
    const bool divided = node.primitive == &p::divide;
    for (std::size_t k = 0; k < (sum || scaled ? 2U : divided ? 1U : 0U); ++k) {
      const NodeId inner = node.inputs[k], other = node.inputs[1 - k];
      if (graph_[inner].shape != node.shape) continue;
      const AttentionChain here = chain_;
      if (sum && may_have_bias) {
        chain_.bias = other;
        if (read_scores(inner, false)) return true;
      } else if (!sum && graph_[other].shape.empty()) {
        chain_.scale.push_back({other, divided});
        if (read_scores(inner, false)) return true;
      }
      chain_ = here;
    }
    chain_ = before;
    return false;
  }

  const Graph& graph_;
  AttentionChain chain_;
};

}  // namespace

std::vector<NodeId> AttentionChain::operands() const {
  std::vector<NodeId> list{q, k, v};
  for (const Factor& factor : scale) list.push_back(factor.number);
  if (bias) list.push_back(*bias);
  if (mask && !causal) list.push_back(*mask);
  return list;
}

std::optional<AttentionChain> attention_ending_in(const Graph& graph, NodeId context) {
  return ChainReader(graph).ending_in(context);
}

}  // namespace attend
