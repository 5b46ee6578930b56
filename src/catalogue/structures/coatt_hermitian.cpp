// SPDX-License-Identifier: Apache-2.0
// Hermitian co-attention: complex inner products of all pairs, pooled to one score a token
//   E = Re(Q K^H),  e_1i = max_j E_ij,  e_2j = max_i E_ij  (or means)
// Tay, Luu, Hui 2018; Galassi, Lippi, Torroni 2021, section IV-D, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::coatt_hermitian_entry {
namespace {

// Of every row of e the largest score, or the mean: [1 rows].
Var pooled(const Scope& in, Var e) {
  return transpose(in.text("pool") == "max" ? max(e, -1, true) : mean(e, -1, true));
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Var e = named_affinity(in, s);  // [n1 n2]
  const Tensors first = ask_side(in, s, 1, [&] { return pooled(in, e); });
  const Tensors second = ask_side(in, s, 2, [&] { return pooled(in, transpose(e)); });
  return Tensors{{affinity_table, e, "n1 n2"}} + results_of_sides(in, first, second) +
         join_sides(first, second);
}

// Re(q k^H) = real parts' product + imaginary parts' product.
Array hermitian(const ReferenceIn& in) {
  const auto mapped_by = [&](const char* port, const char* W) {
    return product(in[port], in.parameter(std::string("affinity.") + W));
  };
  return plus(dots(mapped_by("key1", "R_Q"), mapped_by("key2", "R_K")),
              dots(mapped_by("key1", "I_Q"), mapped_by("key2", "I_K")));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array e = hermitian(in);
  const auto energies = [&](const Array& table) {
    return in.text("pool") == "max" ? row_maxima(table) : mean_of_rows(transposed(table));
  };
  const AttentionTables first = seen_by(energies(e), or_else(in, "value1", "key1"));
  const AttentionTables second = seen_by(energies(transposed(e)), or_else(in, "value2", "key2"));
  Arrays out = joined_sides(first, second);
  out["affinity"] = e;
  return out;
}

extern const Mechanism record{
    .id = "coatt-hermitian",
    .aliases = {"hermitian", "hermitian-coattention"},
    .knobs = {choice_knob("pool", "max", {"max", "mean"})},
    .roles = side_roles,
    .slots = {affinity_slot("hermitian"), attention_slot("first", by_energies),
              attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"}, {"type", "specialized"}},
    .behaviour = Structure{build}};
}  // namespace attend::coatt_hermitian_entry
