// SPDX-License-Identifier: Apache-2.0
#include "experiment/result_cost.h"

#include "fused/fuse.h"
#include "ops/needed.h"

namespace attend {
namespace {

Json to_json(const Cost& cost) {
  return {{"multiply_adds", cost.multiply_adds},
          {"exponentials", cost.exponentials},
          {"bytes", cost.bytes},
          {"exact", cost.exact}};
}

}  // namespace

ResultCost result_cost(const Graph& graph, const std::vector<NodeId>& outputs,
                       std::optional<NodeId> context) {
  ResultCost cost{cost_of(graph, needed_for(graph, outputs)), {}};
  if (!context) return cost;
  // As it is computed where nobody asks for the map.
  const std::unique_ptr<Graph> alone = graph.copy();
  fused::fuse(*alone, {alone->var(*context)});
  cost.context = cost_of(*alone, needed_for(*alone, {*context}));
  return cost;
}

Json to_json(const ResultCost& cost) {
  Json json = to_json(cost.outputs);
  if (cost.context) json["context"] = to_json(*cost.context);
  return json;
}

}  // namespace attend
