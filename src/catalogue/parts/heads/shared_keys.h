// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/scope.h"

// Heads that share keys: h query heads over G key heads, query head t reads key head floor(t G / h). Nothing is copied:
// inside a module two axes hold the heads, [G h/G ..], and keys and values have [G 1 ..], which broadcasts. A slot's
// parameters for each head come in the same form. Results are named with one axis of heads.
namespace attend {

// The axis `at`, of h or of G heads, as two: [.. h ..] -> [.. G h/G ..]. Unchanged where no keys are shared.
Var in_groups(Var x, const Family& family, std::size_t at);
// The two axes at `at` as one again.
Var in_one_row(Var x, const Family& family, std::size_t at);

// A tensor as it is named, with one axis of heads. It is "h" of `axes`, or the first where `axes` has no word for it;
// of what key heads share the word becomes "G".
struct Named {
  Var var;
  std::string axes;
};
Named as_named(Var x, const Family& family, std::string_view axes);

}  // namespace attend
