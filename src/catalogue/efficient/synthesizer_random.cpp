// SPDX-License-Identifier: Apache-2.0
// Random Synthesizer: one table of scores for every input,  C = softmax(R) (X W_V),
//   R [N N], its first n rows and columns; factorised R = R1 R2^T
// Tay et al. 2021, arXiv:2005.00743
#include "catalogue/entry.h"
#include "catalogue/parts/layers/written_scores.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::synthesizer_random_entry {
namespace {

Var table(const Scope& in) {
  const bool split = in.flag("factorized") || in.given("R1") || in.given("R2");
  return split ? matmul(in.param("R1"), in.param("R2"), false, true) : in.param("R");
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n df]
  const std::size_t n = labelled_positions(in, x, "in the table R");
  const Var all = table(in);  // [N N]
  const Var e =
      let("R", all.extent(-1) == n ? all : slice(slice(all, -1, 0, n), -2, 0, n));  // [n n]
  return read_by_scores(in, x, e);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return read_by_loops(in, [&](std::size_t i) {
    if (!in.flag("factorized")) return in.parameter("R").row(i);
    Row line;
    for (std::size_t j = 0; j < in["x"].rows(); ++j)
      line.push_back(inner(in.parameter("R1").row(i), in.parameter("R2").row(j)));
    return line;
  });
}

extern const Mechanism record{
    .id = "synthesizer-random",
    .parameters = {{"R", "N N", Distribution::unit},
                   {"R1", "N r", Distribution::unit},
                   {"R2", "N r", Distribution::unit},
                   {"W_V", "df dv"}},
    .symbols = {{"dv", "df"}},
    .knobs = {size_knob("N", "N", "n", 1, 512), flag_knob("factorized", false),
              size_knob("rank", "r", 4., 1, 64), flag_knob("causal", false)},
    .roles = {{"x", "n df"}},
    .slots = {own_alignment_slot},
    .laws = {.permutation = false},
    .coordinates = {{"alignment", "global"}, {"type", "self-attentive"}},
    .example = R"("N": 7)",
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::synthesizer_random_entry
