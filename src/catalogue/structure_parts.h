// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

// What structures that write out their own formula have in common.
namespace attend {

// The structure again, with the sizes that its inputs and given parameters settle.
ModuleIn sized(const ModuleIn& in);

// A structure's tokens [n d], as the token masks among its mask items leave them.
Var masked_tokens(const ModuleIn& in, Var rows);

// The weights of scores [.. n n] of tokens [n d] for one another, under the structure's mask items;
// what may be attended to becomes the output `mask`.
Var masked_softmax(const ModuleIn& in, Var rows, Var scores);

// Softmax over the keys for every feature: scores [.. n d], mask [.. n] of 0 and 1, or empty.
Var softmax_by_feature(Var scores, Var mask = {});

}  // namespace attend
