// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/slots.h"

// The general attention module: heads' projections -> score -> position terms -> masks -> alignment
// -> aggregate -> heads' merge.
namespace attend {

struct ModuleResult {
  Var scores, weights, context;  // [h? m n] (or [h? m n dv]), the same, [m dc]
  Var output;                    // what an aggregate made of the context; the context without one
};

// The symbols of the axes of a module's results; "1" where there is one query.
struct ModuleAxes {
  std::string m = "m", n = "n";
};

// Attends with the slots of `module` (score, mask, position, alignment, dimensionality, heads,
// aggregate, penalties). Results go to the builder's outputs under its scope; `family` is for
// modules whose parameters have an axis over hops.
ModuleResult attend_module(Builder& builder, const Choice& module, const Triple& inputs,
                           const ModuleAxes& axes = {}, Family family = {});

// The same, for rows that a Preparation has made ready.
ModuleResult attend_prepared(Builder& builder, const Choice& module, const Triple& inputs,
                             const ModuleAxes& axes = {}, Family family = {});

}  // namespace attend
