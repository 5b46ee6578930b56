// SPDX-License-Identifier: Apache-2.0
// Mixture of Synthesizers:  C = softmax(s_0 E + s_1 R) (X W_V),  s = softmax(alpha),
//   E = relu(X W1 + b1) W2 + b2,  R one table for every input
// Tay et al. 2021, arXiv:2005.00743
#include "catalogue/entry.h"
#include "catalogue/parts/layers/written_scores.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::synthesizer_mix_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n df]
  const std::size_t n = labelled_positions(in, x, "for which a row has scores");
  const Var share = let("s", softmax(in.param("alpha")));               // [1 2]
  const Var hidden = relu(matmul(x, in.param("W1")) + in.param("b1"));  // [n a]
  const Var dense = let("E_d", slice(matmul(hidden, in.param("W2")) + in.param("b2"), -1, 0, n));
  const Var table = let("R", slice(slice(in.param("R"), -1, 0, n), -2, 0, n));  // [n n]
  const Var e = let("E", slice(share, -1, 0, 1) * dense + slice(share, -1, 1, 2) * table);
  return read_by_scores(in, x, e);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &alpha = in.parameter("alpha"), &table = in.parameter("R");
  const double first = 1 / (1 + std::exp(alpha(1) - alpha(0)));
  return read_by_loops(in, [&](std::size_t i) {
    Row line = written_row(in, i);
    for (std::size_t j = 0; j < line.size(); ++j)
      line[j] = first * line[j] + (1 - first) * table(i, j);
    return line;
  });
}

extern const Mechanism record{
    .id = "synthesizer-mix",
    .parameters = {{"alpha", "2", Distribution::zero},
                   {"W1", "df a"},
                   {"b1", "a", Distribution::zero},
                   {"W2", "a N"},
                   {"b2", "N", Distribution::zero},
                   {"R", "N N", Distribution::unit},
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
}  // namespace attend::synthesizer_mix_entry
