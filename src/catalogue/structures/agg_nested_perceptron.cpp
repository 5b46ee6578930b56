// SPDX-License-Identifier: Apache-2.0
// A perceptron over what each side attends to in the other:
//   M_1 = softmax over the rows of E,  M_2 = softmax over its columns
//   e_2 = act(K_2 W1 + M_2^T (K_1 W2)) . w3,  e_1 = act(K_1 W2 + M_1 (K_2 W1)) . w4
// Galassi, Lippi, Torroni 2021, table V, arXiv:1902.02181
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/structure_reference.h"

namespace attend {
namespace {

void build(const ModuleIn& in) {
  const Sides s = sides_of(in);
  const Scope sized = in.sized();
  const Var e = named_affinity(in, s);                      // [n1 n2]
  const Var by_row = let("M_1", softmax(e));                // [n1 n2]
  const Var by_column = let("M_2", softmax(transpose(e)));  // [n2 n1], its transpose
  const Var own1 = matmul(s.key1, sized.param("W2")), own2 = matmul(s.key2, sized.param("W1"));
  const auto rows = [&] {
    const Var h = let("H_1", in.activate(own1 + matmul(by_row, own2)));  // [n1 a]
    return matmul(sized.param("w4"), h, false, true);                    // [1 n1]
  };
  const auto columns = [&] {
    const Var h = let("H_2", in.activate(own2 + matmul(by_column, own1)));  // [n2 a]
    return matmul(sized.param("w3"), h, false, true);                       // [1 n2]
  };
  const Results first =
      ask(in, {.slot = "first", .key = s.key1, .value = s.value1, .n = "n1", .energies = rows});
  const Results second =
      ask(in, {.slot = "second", .key = s.key2, .value = s.value2, .n = "n2", .energies = columns});
  name_side(in, "1", "first", first, "1", "n1");
  name_side(in, "2", "second", second, "1", "n2");
  join(in, "[c_1; c_2]", {first.at("context"), second.at("context")});
}

Arrays reference(const ReferenceIn& in) {
  const Array e = dots(in["key1"], in["key2"]);
  const Array own1 = rows_times(in["key1"], in.parameter("W2"));
  const Array own2 = rows_times(in["key2"], in.parameter("W1"));
  const auto energies = [&](const Array& table, const Array& own, const Array& other,
                            const char* w) {
    const Array h = activated(in.text("act"), sum_of(own, rows_times(soft_rows(table), other)));
    Array one({1, h.rows()});
    for (std::size_t j = 0; j < h.rows(); ++j) one(0, j) = inner(h.row(j), in.parameter(w).data);
    return one;
  };
  const Answer first = seen_by(energies(e, own1, own2, "w4"), or_else(in, "value1", "key1"));
  const Answer second =
      seen_by(energies(transposed(e), own2, own1, "w3"), or_else(in, "value2", "key2"));
  Arrays out{{"affinity", e}, {"output", beside({first.context, second.context})}};
  put_side(out, "1", first);
  put_side(out, "2", second);
  return out;
}

}  // namespace

namespace catalogue {
extern const Entry agg_nested_perceptron_entry;
const Entry agg_nested_perceptron_entry{
    .words =
        {.title = "Aggregation by a perceptron with nested attention",
         .formula =
             R"(e_1 = \operatorname{act}(K_1 W_2 + M_1 (K_2 W_1))\cdot w_4,\quad e_2 = \operatorname{act}(K_2 W_1 + M_2^{\top}(K_1 W_2))\cdot w_3)",
         .sentence =
             "Like the perceptron, but each token sees a weighted mean of the other input instead "
             "of a sum.",
         .source = {"Galassi, Lippi, Torroni", 2021, "table V",
                    "https://arxiv.org/abs/1902.02181"}},
    .record = {.id = "agg-nested-perceptron",
               .parameters = {{"W1", "d2 a"}, {"W2", "d1 a"}, {"w3", "a"}, {"w4", "a"}},
               .knobs = {activation_knob("tanh"),
                         size_knob("hidden", "Hidden width", "a", "d1", 1, 256)},
               .roles = {{"key1", "n1 d1"},
                         {"key2", "n2 d2"},
                         {"value1", "n1 dv1", false, "key1"},
                         {"value2", "n2 dv2", false, "key2"}},
               .slots = {affinity_slot("dot"), attention_slot("first", "Over input 1", by_energies),
                         attention_slot("second", "Over input 2", by_energies)},
               .coordinates = {{"multiplicity of features", "parallel co-attention"},
                               {"type", "specialized"}},
               .extents = {{"d1", 6}, {"d2", 6}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
