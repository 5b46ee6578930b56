// SPDX-License-Identifier: Apache-2.0
// Energies that come from outside:  E given as data
// Galassi, Lippi, Torroni 2021, section V-A1, arXiv:1902.02181
#include "catalogue/entry.h"

namespace attend::external_energy_entry {
namespace {

Var build(const ScoreIn& in) { return in.need("energy"); }  // [m n]

}  // namespace

Arrays reference(const ReferenceIn& in) { return {{"scores", in["energy"]}}; }

extern const Mechanism record{
    .id = "external-energy",
    .aliases = {"energy"},
    .roles = {{"energy", "m n"}},
    .laws = {.permutation = false, .content = false},
    .behaviour = Score{.build = build, .reads_query = false, .given = true}};
}  // namespace attend::external_energy_entry
