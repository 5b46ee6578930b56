// SPDX-License-Identifier: Apache-2.0
// Random Synthesizer: one table of scores for every input,  C = softmax(R) (X W_V),
//   R [N N], its first n rows and columns; factorised R = R1 R2^T
// Tay et al. 2021, arXiv:2005.00743
#include <algorithm>
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::synthesizer_random_entry {
namespace {

Var table(const Scope& in) {
  const bool split = in.flag("factorized") || in.given("R1") || in.given("R2");
  return split ? matmul(in.param("R1"), in.param("R2"), false, true) : in.param("R");
}

Tensors build(const Scope& module, const Tensors& inputs) {
  const Scope in = module.sized();
  const Var x = inputs["x"];  // [n df]
  const std::size_t n = x.extent(-2), longest = in.integer("N");
  if (longest < n)
    refuse(in.choice.path + "/N", "N is the number of positions in the table R; it is at least " +
                                      std::to_string(n) + " here, found " +
                                      std::to_string(longest));
  in.label("m", x);
  in.label("n", x);
  const Var all = table(in);                                                           // [N N]
  const Var e = let("R", longest == n ? all : slice(slice(all, -1, 0, n), -2, 0, n));  // [n n]
  const Var mask = in.flag("causal") ? keys_so_far(in.graph(), n, n) : Var{};
  const Var a = let("A", weights_by(in, e, {x, x, x}, mask,
                                    [&] { return mask ? softmax(e, mask) : softmax(e); }));
  return {{out::scores, e, "m n"},
          {out::weights, a, "m n"},
          {out::result, let("C", matmul(a, matmul(x, in.param("W_V")))), "m dv"}};
}

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  Array e({x.rows(), x.rows()}), a(e.shape);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t j = 0; j < x.rows(); ++j)
      e(i, j) = in.flag("factorized") ? inner(in.parameter("R1").row(i), in.parameter("R2").row(j))
                                      : in.parameter("R")(i, j);
    const Row row = soft(e.row(i), [&](std::size_t j) { return !in.flag("causal") || j <= i; });
    for (std::size_t j = 0; j < x.rows(); ++j) a(i, j) = row[j];
  }
  const Array context = weighted(a, loops::product(x, in.parameter("W_V")));
  return {{"scores", e}, {"weights", a}, {"context", context}};
}

}  // namespace

extern const Mechanism synthesizer_random_record;
const Mechanism synthesizer_random_record{
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
    .behaviour = Structure{build}};
extern const Reference synthesizer_random_reference;
const Reference synthesizer_random_reference{reference};
}  // namespace attend::synthesizer_random_entry
