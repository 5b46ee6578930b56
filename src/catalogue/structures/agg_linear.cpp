// SPDX-License-Identifier: Apache-2.0
// A table of scores aggregated by learned sums:  e_2 = w1 E,  e_1 = E w2
// Galassi, Lippi, Torroni 2021, table V, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::agg_linear_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Scope sized = in.sized();
  const Var e = named_affinity(in, s);                                          // [n1 n2]
  const auto rows = [&] { return matmul(sized.param("w2"), e, false, true); };  // [1 n1]
  const auto columns = [&] { return matmul(sized.param("w1"), e); };            // [1 n2]
  const Tensors first =
      ask(in, {.slot = "first", .key = s.key1, .value = s.value1, .n = "n1", .energies = rows});
  const Tensors second =
      ask(in, {.slot = "second", .key = s.key2, .value = s.value2, .n = "n2", .energies = columns});
  return Tensors{{affinity_table, e, "n1 n2"}} +
         results_of_side(in, "1", "first", first, "1", "n1") +
         results_of_side(in, "2", "second", second, "1", "n2") +
         join("[c_1; c_2]", {first["context"], second["context"]});
}

Arrays reference(const ReferenceIn& in) {
  const Array e = dots(in["key1"], in["key2"]);
  Array e1({1, e.rows()}), e2({1, e.cols()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.cols(); ++j) {
      e1(0, i) += e(i, j) * in.parameter("w2")(j);
      e2(0, j) += in.parameter("w1")(i) * e(i, j);
    }
  }
  const Answer first = seen_by(e1, or_else(in, "value1", "key1"));
  const Answer second = seen_by(e2, or_else(in, "value2", "key2"));
  Arrays out{{"affinity", e}, {"output", beside({first.context, second.context})}};
  put_side(out, "1", first);
  put_side(out, "2", second);
  return out;
}

}  // namespace

extern const Mechanism agg_linear_record;
const Mechanism agg_linear_record{
    .id = "agg-linear",
    .parameters = {{"w1", "n1"}, {"w2", "n2"}},
    .roles = {{"key1", "n1 d1"},
              {"key2", "n2 d2"},
              {"value1", "n1 dv1", false, "key1"},
              {"value2", "n2 dv2", false, "key2"}},
    .slots = {affinity_slot("dot"), attention_slot("first", by_energies),
              attention_slot("second", by_energies)},
    .coordinates = {{"multiplicity of features", "parallel co-attention"}, {"type", "specialized"}},
    .extents = {{"d1", 6}, {"d2", 6}},
    .behaviour = Structure{build}};
extern const Reference agg_linear_reference;
const Reference agg_linear_reference{reference};
}  // namespace attend::agg_linear_entry
