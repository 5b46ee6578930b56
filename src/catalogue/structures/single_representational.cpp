// SPDX-License-Identifier: Apache-2.0
// Single-representational features: the general module as it is, C = align(score(Q, K)) V
// Brauwers & Frasincar 2022, section 3.1.3, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/parts/structures/plain.h"

namespace attend::single_representational_entry {

Arrays reference(const ReferenceIn& in) { return plainly_by_loops(in); }

extern const Mechanism record{
    .id = "single-representational",
    .roles = plain_roles,
    .slots = plain_slots,
    .coordinates = {{"feature representations", "single-representational"}},
    .behaviour = Structure{attend_plainly}};
}  // namespace attend::single_representational_entry
