// SPDX-License-Identifier: Apache-2.0
// Feature juxtaposition: the general module as it is, C = align(score(Q, K)) V
// Galassi, Lippi, Torroni 2021, section IV-A, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/parts/structures/plain.h"

namespace attend::feature_juxtaposition_entry {

Arrays reference(const ReferenceIn& in) { return plainly_by_loops(in); }

extern const Mechanism record{.id = "feature-juxtaposition",
                              .roles = plain_roles,
                              .slots = plain_slots,
                              .coordinates = {{"multiplicity of features", "singular"}},
                              .behaviour = Structure{attend_plainly}};
}  // namespace attend::feature_juxtaposition_entry
