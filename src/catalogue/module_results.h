// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/scope.h"

namespace attend {

// A result of the module in a slot that this module needs. Throws Error when that module gives none of this name.
Var result_of(const Scope& in, std::string_view slot, const Results& results,
              std::string_view name);

}  // namespace attend
