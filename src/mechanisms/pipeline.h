// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "mechanisms/slots.h"

// The general attention module: heads' projections -> score -> position terms -> masks -> alignment
// -> aggregate -> heads' merge.
namespace attend {

struct ModuleResult {
  Var scores, weights, context;  // [h? m n] (or [h? m n dv]), the same, [m dc]
};

// The symbols of the axes of a module's results; "1" where there is one query.
struct ModuleAxes {
  std::string m = "m", n = "n";
};

// Attends with the slots of `module` (score, mask, position, alignment, dimensionality, heads).
// Results go to the builder's outputs under its scope; `family` is for modules whose parameters
// have an axis over hops.
ModuleResult attend_module(Builder& builder, const Choice& module, const Triple& inputs,
                           const ModuleAxes& axes = {}, Family family = {});

// What the module's position slots add to rows of queries or keys; rows as they are when there are
// none.
Var encode_rows(Builder& builder, const Choice& module, Var rows);

}  // namespace attend
