// SPDX-License-Identifier: Apache-2.0
// Feature juxtaposition: the general module as it is, C = align(score(Q, K)) V
// Galassi, Lippi, Torroni 2021, section IV-A, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/parts/structures/plain.h"

namespace attend::feature_juxtaposition_entry {

extern const Mechanism feature_juxtaposition_record;
const Mechanism feature_juxtaposition_record{
    .id = "feature-juxtaposition",
    .roles = plain_roles,
    .slots = plain_slots,
    .coordinates = {{"multiplicity of features", "singular"}},
    .behaviour = Structure{attend_plainly}};
extern const Reference feature_juxtaposition_reference;
const Reference feature_juxtaposition_reference{plainly_by_loops};
}  // namespace attend::feature_juxtaposition_entry
