// SPDX-License-Identifier: Apache-2.0
// Energies with a logical rule:  e_ij <- e_ij + rho d_ij, d the (soft) truth of the rule's body
// Li & Srikumar 2019, section 3, arXiv:1906.06298; Galassi, Lippi, Torroni 2021, section VI-E
#include "catalogue/entry.h"

namespace attend::rule_augmented_entry {
namespace {

Var energy(const MaskIn& in, Var e) {  // [.. m n]
  return e + in.scalar("rho") * in.rows_of(in.need("rule"), e);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& rule = in["rule"];
  return each_row(in, [&](std::size_t i, Row e) {
    for (std::size_t j = 0; j < e.size(); ++j) e[j] += in.number("rho") * rule(i, j);
    return softened(e);
  });
}

extern const Mechanism record{.id = "rule-augmented",
                              .knobs = {number_knob("rho", 1., 0, 10)},
                              .roles = {{"rule", "m n"}},
                              .beside = {{"score", "dot"}},
                              .laws = {.permutation = false},
                              .behaviour = Mask{.energy = energy}};
}  // namespace attend::rule_augmented_entry
