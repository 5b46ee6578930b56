// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "experiment/text/json_parse.h"
#include "ops/cost.h"

namespace attend {

class Compiled;
class Program;

// What it takes to compute a document's outputs, without gradients.
struct ResultCost {
  Cost outputs;                 // of all that are asked for
  std::optional<Cost> context;  // of the context where nothing else is asked for, if there is one
  std::optional<Cost> model;    // of a model: of what its modules give, where no map is asked for
};

// The outputs that the document asks for are the first results of `program`.
ResultCost result_cost(const Compiled& compiled, const Program& program);

// {"multiply_adds", "exponentials", "bytes", "exact", "context": {the same}, "model": {the same}}
Json to_json(const ResultCost& cost);

}  // namespace attend
