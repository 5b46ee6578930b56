// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

namespace attend {

// The tensors that a module's penalties read.
struct Attended {
  Var query;                     // [.. m dq], may be empty
  Var weights, values, outputs;  // [h? m n] [h? n dv] [h? m dv]
};

// The context with the gates that penalties put on it.
Var gated_by_penalties(Assembler& assembler, const Choice& module, Var query, Var context);

// What becomes the output `penalty`: the sum of the slot `penalties` of a module, empty without any.
Var penalty_of(Assembler& assembler, const Choice& module, const Attended& attended);

// The same of the module in the slot `attention`, which was asked for one row a step: over the rows of
// all steps, once they are recorded. Throws Error for penalties that read more than the weights, and
// for those of a module further inside, whose rows are not kept.
Var penalty_of_steps(const Scope& in, Var weights);  // [h? t n]

// The sum of all numbers, [].
Var total(Var x);

// (1/h^2) sum over heads s, t of the cosine of their rows, averaged over the rows: [h n d] -> [].
Var agreement_of_heads(Var rows);
// The same pair by pair, for references.
double agreement_by_loops(const Array& rows);

}  // namespace attend
