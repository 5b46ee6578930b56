// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

// What decays leave between the rows of one block: D_ij is the product of the decays of the rows j+1 .. i-1, by
// feature. It is a product and never a quotient: a decay may be 0. Leading extents broadcast.
namespace attend {

// x, y, decay [.. B p] -> [.. B B]: the sum over features of x_i y_j D_ij for j < i, 0 elsewhere.
Var decayed_pairs(Var x, Var y, Var decay);
// w [.. B B], y, decay [.. B p] -> [.. B p]: row i is the sum over j < i of w_ij y_j D_ij; with `back` row j is the sum
// over i > j of w_ij y_i D_ij.
Var decayed_sums(Var w, Var y, Var decay, bool back = false);
// [.. B p], all with the same leading extents: the slope of the sum of all w_ij x_i y_j D_ij by each decay.
Var decay_slopes(Var w, Var x, Var y, Var decay);
// [.. B p]: for each row the product of the rows before it, or, with `back`, of those behind it.
Var running_product(Var x, bool back = false);
// a [.. B B], b [.. B c] -> the solution of (1 + A) x = b, A what is below the diagonal of a; `transposed`: 1 + A^T.
Var solve_triangle(Var a, Var b, bool transposed = false);

}  // namespace attend
