// SPDX-License-Identifier: Apache-2.0
// Interactive co-attention: the mean of each input asks the other
//   c_1 = att(mean K_2, K_1),  c_2 = att(mean K_1, K_2)
// Ma, Li, Zhang, Wang 2017 (IAN), arXiv:1709.00893; Brauwers & Frasincar 2022, equations 10 and 11
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::coatt_interactive_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Var mean1 = let("\\bar k_1", mean_row(s.key1)), mean2 = let("\\bar k_2", mean_row(s.key2));
  const Tensors first = ask_side(in, s, 1, {}, mean2), second = ask_side(in, s, 2, {}, mean1);
  return results_of_sides(in, first, second) + join_sides(first, second);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &key1 = in["key1"], &key2 = in["key2"];
  const AttentionTables first = seen_by(activated_general(in, "first", mean_of_rows(key2), key1),
                                        or_else(in, "value1", "key1"));
  const AttentionTables second = seen_by(activated_general(in, "second", mean_of_rows(key1), key2),
                                         or_else(in, "value2", "key2"));
  return joined_sides(first, second);
}

extern const Mechanism record{
    .id = "coatt-interactive",
    .aliases = {"interactive"},
    .roles = side_roles,
    .slots = {attention_slot("first", by_activated_general),
              attention_slot("second", by_activated_general)},
    .coordinates = {{"multiplicity of features", "interactive co-attention"},
                    {"type", "specialized"}},
    .behaviour = Structure{build}};
}  // namespace attend::coatt_interactive_entry
