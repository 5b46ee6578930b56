// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/modules.h"

// Structures that are the general module itself, C = align(score(Q, K)) V, under the names that surveys give it.
namespace attend {

Tensors attend_plainly(const Scope& in, const Tensors& inputs);
Arrays plainly_by_loops(const ReferenceIn& in);

inline const List<Role> plain_roles = {
    {"query", "m dq"}, {"key", "n dk", false, "query"}, {"value", "n dv", false, "key"}};
inline const List<Slot> plain_slots = {{"score", Kind::score, "dot"},
                                       {"alignment", Kind::alignment, "softmax"},
                                       {"mask", Kind::mask, "", true}};

}  // namespace attend
