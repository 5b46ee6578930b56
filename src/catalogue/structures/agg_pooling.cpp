// SPDX-License-Identifier: Apache-2.0
// A table of scores aggregated by its maxima:  e_1i = max_j E_ij,  e_2j = max_i E_ij
// dos Santos et al. 2016 (attentive pooling), arXiv:1602.03609; Galassi, Lippi, Torroni 2021, table V;
// Brauwers & Frasincar 2022, equation 16
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::agg_pooling_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Var e = named_affinity(in, s);  // [n1 n2]
  const Tensors first =
      ask(in, {.slot = "first", .key = s.key1, .value = s.value1, .n = "n1", .energies = [&] {
                 return transpose(max(e, -1, true));
               }});
  const Tensors second =
      ask(in, {.slot = "second", .key = s.key2, .value = s.value2, .n = "n2", .energies = [&] {
                 return max(e, -2, true);
               }});
  return Tensors{{affinity_table, e, "n1 n2"}} +
         results_of_side(in, "1", "first", first, "1", "n1") +
         results_of_side(in, "2", "second", second, "1", "n2") +
         join("[c_1; c_2]", {first["context"], second["context"]});
}

Arrays reference(const ReferenceIn& in) {
  const Array e = dots(in["key1"], in["key2"]);
  const Answer first = seen_by(row_maxima(e), or_else(in, "value1", "key1"));
  const Answer second = seen_by(row_maxima(transposed(e)), or_else(in, "value2", "key2"));
  Arrays out{{"affinity", e}, {"output", beside({first.context, second.context})}};
  put_side(out, "1", first);
  put_side(out, "2", second);
  return out;
}

}  // namespace

extern const Mechanism agg_pooling_record;
const Mechanism agg_pooling_record{
    .id = "agg-pooling",
    .aliases = {"pooling", "attention-pooling"},
    .roles = {{"key1", "n1 d1"},
              {"key2", "n2 d2"},
              {"value1", "n1 dv1", false, "key1"},
              {"value2", "n2 dv2", false, "key2"}},
    .slots = {affinity_slot("dot"), attention_slot("first", by_energies),
              attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"}, {"type", "specialized"}},
    .extents = {{"d1", 6}, {"d2", 6}},
    .behaviour = Structure{build}};
extern const Reference agg_pooling_reference;
const Reference agg_pooling_reference{reference};
}  // namespace attend::agg_pooling_entry
