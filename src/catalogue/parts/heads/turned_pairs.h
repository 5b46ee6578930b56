// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/compose.h"

// What rotations of queries and keys share.
namespace attend {

// Features a and b of each pair become a cos - b sin and a sin + b cos. Of width r there are r/2 pairs: feature t with
// feature t + r/2, or with `neighbours` 2t with 2t + 1. x [.. n p] with p >= r, cosine and sine [n r/2]; the features
// behind the first r stay.
Var turned_pairs(Var x, Var cosine, Var sine, bool neighbours);
// The same of whole rows [.. n p] by their positions [n]: pair t turns by position base^(-2t/r), r = 2 floor(p / 2).
Var turned_rows(Var x, Var positions, Var base, bool neighbours);

}  // namespace attend
