// SPDX-License-Identifier: Apache-2.0
#include "export/loss_idioms.h"

#include <optional>

#include "ops/primitives/records.h"
#include "ops/text.h"

namespace attend {
namespace {

namespace p = primitives;

Text log_sum_text(const Expression& e) {
  return {"torch.logsumexp(" + tensor_operand(e, 0).text + ", dim=-1, keepdim=True)"};
}
const Primitive log_sum{.name = "logsumexp", .python = log_sum_text, .noun = "total"};

const Node* of(const Graph& graph, NodeId id, const Primitive& primitive) {
  return graph[id].primitive == &primitive ? &graph[id] : nullptr;
}

bool along_rows(const Node& node) { return node.attributes[0] == -1 && node.attributes[1] != 0; }

// The x of  log(sum exp(x - max x)) + max x  along the last axis.
std::optional<NodeId> summed(const Graph& graph, const Node& node) {
  if (node.primitive != &p::add) return std::nullopt;
  const NodeId peak = node.inputs[1];
  const Node* log = of(graph, node.inputs[0], p::log);
  const Node* sum = log != nullptr ? of(graph, log->inputs[0], p::sum) : nullptr;
  const Node* exp = sum != nullptr ? of(graph, sum->inputs[0], p::exp) : nullptr;
  const Node* less = exp != nullptr ? of(graph, exp->inputs[0], p::subtract) : nullptr;
  const Node* held = of(graph, peak, p::detach);
  const Node* max = held != nullptr ? of(graph, held->inputs[0], p::max) : nullptr;
  if (less == nullptr || max == nullptr || less->inputs[1] != peak) return std::nullopt;
  if (max->inputs[0] != less->inputs[0] || !along_rows(*max) || !along_rows(*sum))
    return std::nullopt;
  return less->inputs[0];
}

// The logits and the right classes of  logsumexp(x) - sum(x y), without the last axis.
std::optional<std::vector<NodeId>> compared(const Graph& graph, const Node& node) {
  if (node.primitive != &p::reshape) return std::nullopt;
  const Node* loss = of(graph, node.inputs[0], p::subtract);
  const Node* total = loss != nullptr ? of(graph, loss->inputs[0], log_sum) : nullptr;
  const Node* right = loss != nullptr ? of(graph, loss->inputs[1], p::sum) : nullptr;
  if (total == nullptr || right == nullptr || !along_rows(*right)) return std::nullopt;
  const Node* both = of(graph, right->inputs[0], p::multiply);
  if (both == nullptr || both->inputs[0] != total->inputs[0]) return std::nullopt;
  const Shape& shape = graph[both->inputs[0]].shape;
  if (shape.size() != 3 || shape != graph[both->inputs[1]].shape ||
      node.shape != Shape{shape[0], shape[1]})
    return std::nullopt;
  return both->inputs;
}

Text row_losses_text(const Expression& e) {
  const auto classes_first = [&](std::size_t k) {
    return tensor_operand(e, k).at(Text::atom) + ".transpose(1, 2)";
  };
  return {"F.cross_entropy(" + classes_first(0) + ", " + classes_first(1) +
          ", reduction=\"none\")"};
}

}  // namespace

const Primitive row_cross_entropy{
    .name = "cross_entropy", .python = row_losses_text, .noun = "row_losses"};

void use_loss_idioms(Graph& graph) {
  for (NodeId id = 0; id < graph.size(); ++id) {
    // These nodes are printed and never computed: their shapes stay, which may have stand-ins for sizes.
    auto& node = const_cast<Node&>(graph[id]);
    if (const std::optional<NodeId> x = summed(graph, node)) {
      node.primitive = &log_sum;
      node.inputs = {*x};
      node.attributes = {};
    } else if (std::optional<std::vector<NodeId>> both = compared(graph, node)) {
      node.primitive = &row_cross_entropy;
      node.inputs = std::move(*both);
      node.attributes = {};
    }
  }
}

}  // namespace attend
