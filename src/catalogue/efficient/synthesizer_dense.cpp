// SPDX-License-Identifier: Apache-2.0
// Dense Synthesizer: every token writes its own row of scores, without looking at the others,
//   E = relu(X W1 + b1) W2 + b2 [n N],  C = softmax(E_{.,0..n-1}) (X W_V)
// Tay et al. 2021, arXiv:2005.00743
#include "catalogue/entry.h"
#include "catalogue/parts/layers/written_scores.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::synthesizer_dense_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n df]
  const std::size_t n = labelled_positions(in, x, "for which a row has scores");
  const Var hidden = let("H", relu(matmul(x, in.param("W1")) + in.param("b1")));  // [n a]
  const Var all = matmul(hidden, in.param("W2")) + in.param("b2");                // [n N]
  const Var e = let("E", all.extent(-1) == n ? all : slice(all, -1, 0, n));       // [n n]
  return read_by_scores(in, x, e);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return read_by_loops(in, [&](std::size_t i) { return written_row(in, i); });
}

extern const Mechanism record{
    .id = "synthesizer-dense",
    .parameters = {{"W1", "df a"},
                   {"b1", "a", Distribution::zero},
                   {"W2", "a N"},
                   {"b2", "N", Distribution::zero},
                   {"W_V", "df dv"}},
    .symbols = {{"dv", "df"}},
    .knobs = {size_knob("hidden", "a", "df", 1, 256), size_knob("N", "N", "n", 1, 512),
              flag_knob("causal", false)},
    .roles = {{"x", "n df"}},
    .slots = {own_alignment_slot},
    .laws = {.permutation = false},
    .coordinates = {{"alignment", "global"}, {"type", "self-attentive"}},
    .example = R"("N": 7)",
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::synthesizer_dense_entry
