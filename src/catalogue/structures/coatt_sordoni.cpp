// SPDX-License-Identifier: Apache-2.0
// Iterative alternating attention, input 1 the question and input 2 the document. At each step
//   c_1 = att(s, K_1),  c_2 = att([s; c_1], K_2),  g_k = sigmoid([s; c_2; c_1; c_2 * c_1] W_gk + b_gk),
//   s <- cell([g_1 * c_1; g_2 * c_2], s)
// Sordoni, Bachman, Trischler, Bengio 2016, arXiv:1606.02245
#include "catalogue/entry.h"
#include "catalogue/module_results.h"
#include "catalogue/modules.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::coatt_sordoni_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Sides s = sides_of(in, inputs);
  const Scope sized = in.sized();
  const Var given = inputs.find("query");
  const std::size_t dh = *sized.dimensions.get("dh");
  const CellIn cell =
      enter_cell(in, *in.choice.in("cell"), s.value1.extent(-1) + s.value2.extent(-1), dh);
  std::vector<Var> states = initial_states(cell);
  if (given) states[0] = given;  // [1 dh], what the search begins with
  Tensors results, first, second;
  for (std::size_t t = 0; t < in.integer("steps"); ++t) {
    const std::string step = std::to_string(t);
    const StepSuffix suffix(in.graph(), "^{\\text{step }" + step + "}");
    const Var state = states[0];
    first = ask(in, {.slot = "first",
                     .query = state,
                     .key = s.key1,
                     .value = s.value1,
                     .n = "n1",
                     .name = "first" + step});
    const Var c1 = first["context"];
    second = ask(in, {.slot = "second",
                      .query = concat({state, c1}, -1),
                      .key = s.key2,
                      .value = s.value2,
                      .n = "n2",
                      .name = "second" + step});
    const Var c2 = second["context"];
    const Var a1 = result_of(in, "first", first, "weights");
    const Var a2 = result_of(in, "second", second, "weights");
    results.add({out::weights.as("weights1." + step), a1, map_axes(in, "first", a1, "1", "n1")});
    results.add({out::weights.as("weights2." + step), a2, map_axes(in, "second", a2, "1", "n2")});
    Var open1 = c1, open2 = c2;
    if (in.flag("gates")) {
      const Var all = concat({state, c2, c1, c2 * c1}, -1);
      const auto gate = [&](const char* W, const char* b) {
        return sigmoid(matmul(all, sized.param(W)) + sized.param(b));
      };
      open1 = let("g_1", gate("W_g1", "b_g1")) * c1;
      open2 = let("g_2", gate("W_g2", "b_g2")) * c2;
    }
    states = step_of(cell, concat({open1, open2}, -1), states);
  }
  return results + results_of_sides(in, first, second) + Tensors{{out::state, states[0], "1 dh"}} +
         join_sides(first, second);
}

// e_j = k_j . (q W + b)
Array biased(const ReferenceIn& in, const std::string& module, const Row& q, const Array& k) {
  return dots(
      affine(one_row(q), in.parameter(module + ".score.W"), in.parameter(module + ".score.b")), k);
}

Row gated(const ReferenceIn& in, const std::string& side, const Row& all, const Row& c) {
  const Array gate = affine(one_row(all), in.parameter("W_g" + side), in.parameter("b_g" + side));
  return times(c, activated(gate, "sigmoid").data);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Row state = in["query"].row(0);
  AttentionTables first, second;
  for (std::size_t t = 0; t < in.integer("steps"); ++t) {
    first = seen_by(biased(in, "first", state, in["key1"]), or_else(in, "value1", "key1"));
    Row c1 = first.context.data;
    second =
        seen_by(biased(in, "second", joined(state, c1), in["key2"]), or_else(in, "value2", "key2"));
    Row c2 = second.context.data;
    const Row all = joined(joined(joined(state, c2), c1), times(c1, c2));
    if (in.flag("gates")) {
      c1 = gated(in, "1", all, c1);
      c2 = gated(in, "2", all, c2);
    }
    state = gru_by_loops(in, "cell.", joined(c1, c2), state);
  }
  Arrays out = joined_sides(first, second);
  out["state"] = one_row(state);
  return out;
}

extern const Mechanism record{
    .id = "coatt-sordoni",
    .aliases = {"sordoni", "iterative-alternating"},
    .parameters = {{"W_g1", "dh+3dv dv"},
                   {"b_g1", "dv", Distribution::zero},
                   {"W_g2", "dh+3dv dv"},
                   {"b_g2", "dv", Distribution::zero}},
    .knobs = {integer_knob("steps", 4., 1, 8).at_least(1), flag_knob("gates", true),
              size_knob("hidden", "dh", "d1", 1, 256)},
    .roles = {{"key1", "n1 d1"},
              {"key2", "n2 d2"},
              {"value1", "n1 dv", false, "key1"},
              {"value2", "n2 dv", false, "key2"},
              {"query", "1 dh", false}},
    .slots = {attention_slot("first", by_biased_general),
              attention_slot("second", by_biased_general),
              {"cell", Kind::cell, "gru"}},
    .coordinates = {{"multiplicity of features", "alternating co-attention"},
                    {"type", "specialized"},
                    {"multiplicity", "multi-hop"}},
    .extents = {{"1", 1}},
    .behaviour = Structure{build}};
}  // namespace attend::coatt_sordoni_entry
