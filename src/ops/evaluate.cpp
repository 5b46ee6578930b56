// SPDX-License-Identifier: Apache-2.0
#include "ops/evaluate.h"

namespace attend {

Values evaluate(const Graph& graph, const std::vector<Var>& wanted,
                const std::function<std::vector<real>(NodeId)>& leaf_data) {
  const Plan plan = attend::plan(graph, wanted);
  const auto work = std::make_shared<Workspace>(graph, plan);
  for (NodeId id = 0; id < graph.size(); ++id) {
    if (plan.needed[id] && graph[id].primitive == nullptr) work->set(id, leaf_data(id));
  }
  work->evaluate();
  return work->values(work);
}

}  // namespace attend
