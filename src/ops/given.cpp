// SPDX-License-Identifier: Apache-2.0
#include "ops/given.h"

#include <memory>
#include <utility>
#include <vector>

#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/rewrite.h"
#include "ops/scan.h"

namespace attend {
namespace {

// The step with one of its nodes read from a row.
std::shared_ptr<const ScanBody> body_with_row(const ScanBody& body, NodeId node) {
  auto graph = std::make_shared<Graph>();
  for (NodeId id = 0; id < body.graph->size(); ++id) {
    const Node& old = (*body.graph)[id];
    if (id == node) {
      graph->leaf(old.shape, old.name);
    } else {
      graph->adopt(old, old.inputs);  // nodes keep their ids
    }
  }
  ScanBody own = body;
  own.graph = std::move(graph);
  own.rows.push_back(node);
  return finished(std::move(own));
}

// The node that was only put into another form to make this one, and what is given in its form.
struct Followed {
  NodeId node;
  Var given;
};

Followed root_of(const Graph& graph, NodeId id, Var given) {
  for (;;) {
    const Node& node = graph[id];
    if (node.primitive == &primitives::permute) {
      std::vector<long> back(node.attributes.integers.size());
      for (std::size_t i = 0; i < back.size(); ++i)
        back[static_cast<std::size_t>(node.attributes[i])] = static_cast<long>(i);
      given = permute(given, back);
    } else if (node.primitive == &primitives::reshape) {
      const Shape& before = graph[node.inputs[0]].shape;
      if (element_count(before) != element_count(given.shape())) return {id, given};
      given = reshape(given, before);
    } else {
      return {id, given};
    }
    id = node.inputs[0];
  }
}

// One row a step.
Var as_rows(Var given, const StepNode& step) {
  Shape shape = (*step.body->graph)[step.inner].shape;
  shape.insert(shape.begin(), step.body->count);
  return reshape(given, shape);
}

}  // namespace

Program with_given(const Program& program, const std::string& result, const std::string& leaf) {
  const Passes& before = program.made();
  if (before.batch != 0 || before.gradient || before.fused != 0)
    refuse("given values must be set before the other passes");
  const Graph& old = program.graph();
  const NodeId target = program.find(result);
  const auto step = step_behind(old, target);
  Rewrite to(program);
  const Var given =
      to.add_leaf(leaf, to.graph().leaf(old[target].shape, old[target].name), LeafKind::input);
  const Followed root = root_of(old, target, given);
  const Var rows = step ? as_rows(root.given, *step) : Var{};
  to.copy([&](const Node& node, const std::vector<NodeId>& inputs) -> Var {
    if (!step && node.id == root.node) return root.given;
    if (!step || node.id != step->scan) return {};
    Node scan = node;
    std::vector<NodeId> with_rows = inputs;
    const auto place = step->body->states.size() + step->body->rows.size();
    with_rows.insert(with_rows.begin() + static_cast<long>(place), rows.id());
    scan.attributes.body = body_with_row(*step->body, step->inner);
    return to.same(scan, with_rows);
  });
  return to.program();
}

}  // namespace attend
