// SPDX-License-Identifier: Apache-2.0
// Dense Synthesizer: every token writes its own row of scores, without looking at the others,
//   E = relu(X W1 + b1) W2 + b2 [n N],  C = softmax(E_{.,0..n-1}) (X W_V)
// Tay et al. 2021, arXiv:2005.00743
#include <algorithm>
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::synthesizer_dense_entry {
namespace {

Tensors build(const Scope& module, const Tensors& inputs) {
  const Scope in = module.sized();
  const Var x = inputs["x"];  // [n df]
  const std::size_t n = x.extent(-2), longest = in.integer("N");
  if (longest < n)
    refuse(in.choice.path + "/N",
           "N is the number of positions for which a row has scores; it is at least " +
               std::to_string(n) + " here, found " + std::to_string(longest));
  in.label("m", x);
  in.label("n", x);
  const Var hidden = let("H", relu(matmul(x, in.param("W1")) + in.param("b1")));  // [n a]
  const Var all = matmul(hidden, in.param("W2")) + in.param("b2");                // [n N]
  const Var e = let("E", longest == n ? all : slice(all, -1, 0, n));              // [n n]
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
    Row hidden = mapped(x.row(i), in.parameter("W1"));
    for (std::size_t u = 0; u < hidden.size(); ++u)
      hidden[u] = std::max(0.0, hidden[u] + in.parameter("b1")(u));
    const Row line = mapped(hidden, in.parameter("W2"));
    for (std::size_t j = 0; j < x.rows(); ++j) e(i, j) = line[j] + in.parameter("b2")(j);
    const Row row = soft(e.row(i), [&](std::size_t j) { return !in.flag("causal") || j <= i; });
    for (std::size_t j = 0; j < x.rows(); ++j) a(i, j) = row[j];
  }
  const Array context = weighted(a, loops::product(x, in.parameter("W_V")));
  return {{"scores", e}, {"weights", a}, {"context", context}};
}

}  // namespace

extern const Mechanism synthesizer_dense_record;
const Mechanism synthesizer_dense_record{
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
    .behaviour = Structure{build}};
extern const Reference synthesizer_dense_reference;
const Reference synthesizer_dense_reference{reference};
}  // namespace attend::synthesizer_dense_entry
