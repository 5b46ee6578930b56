// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

// Attention where a list names the keys of each row: index [.. m t], row i meets the rows index[i, 0 .. t-1] of
// another matrix. Time and room grow with m t, never with the pairs that no list names. Each is the others' gradient.
namespace attend {

// a [.. m p], b [.. n p] -> out[.., i, s] = a_i . b_index[i, s], [.. m t].
Var listed_products(Var a, Var b, Var index);
// w [.. m t], x [.. n d] -> out[.., i] = sum_s w[i, s] x_index[i, s], [.. m d].
Var listed_sums(Var w, Var x, Var index);
// The transpose: w [.. m t], x [.. m d] -> out[.., index[i, s]] += w[i, s] x_i, [.. n d].
Var listed_spread(Var w, Var x, Var index, std::size_t n);

}  // namespace attend
