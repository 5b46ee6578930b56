// SPDX-License-Identifier: Apache-2.0
// Energies that come from outside:  E given as data
// Galassi, Lippi, Torroni 2021, section V-A1, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const ScoreIn& in) { return in.need("energy"); }  // [m n]

Arrays reference(const ReferenceIn& in) { return {{"scores", in["energy"]}}; }

}  // namespace

namespace catalogue {
extern const Entry external_energy_entry;
const Entry external_energy_entry{
    .words =
        {.title = "Energies from outside",
         .formula = R"(e_{ij} \text{ given})",
         .sentence =
             "The scores are typed in or come from another model; nothing is computed from queries and "
             "keys.",
         .source = {"Galassi, Lippi, Torroni", 2021, "section V-A1",
                    "https://arxiv.org/abs/1902.02181"}},
    .record = {.id = "external-energy",
               .aliases = {"energy"},
               .roles = {{"energy", "m n"}},
               .laws = {.permutation = false, .content = false},
               .behaviour = Score{.build = build, .reads_query = false, .given = true}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
