// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "experiment/json_parse.h"
#include "ops/cost.h"

namespace attend {

// What it takes to compute a document's outputs, without gradients.
struct ResultCost {
  Cost outputs;                 // of all that are asked for
  std::optional<Cost> context;  // of the context where nothing else is asked for, if there is one
};

ResultCost result_cost(const Graph& graph, const std::vector<NodeId>& outputs,
                       std::optional<NodeId> context);

// {"multiply_adds", "exponentials", "bytes", "exact", "context": {the same}}
Json to_json(const ResultCost& cost);

}  // namespace attend
