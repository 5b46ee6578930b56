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
  const Tensors first =
      ask(in, {.slot = "first", .key = s.key1, .value = s.value1, .n = "n1", .energies = [&] {
                 return pooled(in, e);
               }});
  const Tensors second =
      ask(in, {.slot = "second", .key = s.key2, .value = s.value2, .n = "n2", .energies = [&] {
                 return pooled(in, transpose(e));
               }});
  return Tensors{{affinity_table, e, "n1 n2"}} +
         results_of_side(in, "1", "first", first, "1", "n1") +
         results_of_side(in, "2", "second", second, "1", "n2") +
         join("[c_1; c_2]", {first["context"], second["context"]});
}

// Re(q k^H) = real parts' product + imaginary parts' product.
Array hermitian(const ReferenceIn& in) {
  const auto mapped_by = [&](const char* port, const char* W) {
    return rows_times(in[port], in.parameter(std::string("affinity.") + W));
  };
  return sum_of(dots(mapped_by("key1", "R_Q"), mapped_by("key2", "R_K")),
                dots(mapped_by("key1", "I_Q"), mapped_by("key2", "I_K")));
}

Arrays reference(const ReferenceIn& in) {
  const Array e = hermitian(in);
  const auto energies = [&](const Array& table) {
    return in.text("pool") == "max" ? row_maxima(table) : mean_of_rows(transposed(table));
  };
  const Answer first = seen_by(energies(e), or_else(in, "value1", "key1"));
  const Answer second = seen_by(energies(transposed(e)), or_else(in, "value2", "key2"));
  Arrays out{{"affinity", e}, {"output", beside({first.context, second.context})}};
  put_side(out, "1", first);
  put_side(out, "2", second);
  return out;
}

}  // namespace

extern const Mechanism coatt_hermitian_record;
const Mechanism coatt_hermitian_record{
    .id = "coatt-hermitian",
    .aliases = {"hermitian", "hermitian-coattention"},
    .knobs = {choice_knob("pool", "max", {"max", "mean"})},
    .roles = {{"key1", "n1 d1"},
              {"key2", "n2 d2"},
              {"value1", "n1 dv1", false, "key1"},
              {"value2", "n2 dv2", false, "key2"}},
    .slots = {affinity_slot("hermitian"), attention_slot("first", by_energies),
              attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"}, {"type", "specialized"}},
    .behaviour = Structure{build}};
extern const Reference coatt_hermitian_reference;
const Reference coatt_hermitian_reference{reference};
}  // namespace attend::coatt_hermitian_entry
