// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/rows.h"
#include "catalogue/scope.h"

// For modules whose own step asks another module for one row: a decoder, a reader that looks back.
namespace attend {

// The steps of this recorder as modules inside them see them: which one it is, of how many.
Steps steps_of(Graph& graph, ScanRecorder& recorder, std::size_t count);

// While it exists, modules are called for one row at a time of these steps: what they carry on goes
// from step to step.
class StepsAround {
 public:
  StepsAround(Assembler& assembler, Steps& steps)
      : assembler_(assembler), before_(assembler.steps) {
    assembler_.steps = &steps;
  }
  ~StepsAround() { assembler_.steps = before_; }
  StepsAround(const StepsAround&) = delete;
  StepsAround& operator=(const StepsAround&) = delete;

 private:
  Assembler& assembler_;
  Steps* before_;
};

// What a row sees by an attention module: [1 n] [1 n] [1 dv].
struct RowSeen {
  Var scores, weights, context;
};

// Asks the module in the slot `attention` for the one row of this step.
RowSeen row_seen(const Scope& in, Steps& steps, Var query, Var key, Var value);

// All rows [T c] of what every step has seen, [T 1 c].
Var all_rows(Var seen);

}  // namespace attend
