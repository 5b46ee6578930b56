// SPDX-License-Identifier: Apache-2.0
// Singular features: the general module as it is, C = align(score(Q, K)) V
// Brauwers & Frasincar 2022, section 3.1.1, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/parts/structures/plain.h"

namespace attend::singular_features_entry {

Arrays reference(const ReferenceIn& in) { return plainly_by_loops(in); }

extern const Mechanism record{.id = "singular-features",
                              .roles = plain_roles,
                              .slots = plain_slots,
                              .coordinates = {{"multiplicity of features", "singular"}},
                              .behaviour = Structure{attend_plainly}};
}  // namespace attend::singular_features_entry
