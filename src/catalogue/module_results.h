// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/scope.h"

namespace attend {

// A result of the module in a slot that this module needs. Throws Error when that module gives none of this name.
Var result_of(const Scope& in, std::string_view slot, const Tensors& results,
              std::string_view name);

// The results of an attention module in a slot, for callers that need its scores and weights besides its context.
// Throws Error when it has none.
Tensors with_map(const Scope& in, std::string_view slot, Tensors results);

}  // namespace attend
