// SPDX-License-Identifier: Apache-2.0
// Single-level features: the general module as it is, C = align(score(Q, K)) V
// Brauwers & Frasincar 2022, section 3.1.2, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/parts/structures/plain.h"

namespace attend::single_level_entry {

Arrays reference(const ReferenceIn& in) { return plainly_by_loops(in); }

extern const Mechanism record{.id = "single-level",
                              .roles = plain_roles,
                              .slots = plain_slots,
                              .coordinates = {{"feature levels", "single-level"}},
                              .behaviour = Structure{attend_plainly}};
}  // namespace attend::single_level_entry
