// SPDX-License-Identifier: Apache-2.0
// Energies that come from outside:  E given as data
// Galassi, Lippi, Torroni 2021, section V-A1, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend::external_energy_entry {
namespace {

Var build(const ScoreIn& in) { return in.need("energy"); }  // [m n]

Arrays reference(const ReferenceIn& in) { return {{"scores", in["energy"]}}; }

}  // namespace

extern const Mechanism external_energy_record;
const Mechanism external_energy_record{
    .id = "external-energy",
    .aliases = {"energy"},
    .roles = {{"energy", "m n"}},
    .laws = {.permutation = false, .content = false},
    .behaviour = Score{.build = build, .reads_query = false, .given = true}};
extern const Reference external_energy_reference;
const Reference external_energy_reference{reference};
}  // namespace attend::external_energy_entry
