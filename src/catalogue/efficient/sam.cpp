// SPDX-License-Identifier: Apache-2.0
// Self-attentive associative memory: the rows of an item memory are mixed into queries, keys and
// values, whose outer product attention is added to a relational memory,
//   q, k, v = LN(W_q M), LN(W_k M), LN(W_v M),  R'_s = R_s + alpha sum_j act(q_s * k_j)^T v_j
// Le et al. 2020, arXiv:2002.03519
#include "catalogue/entry.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::sam_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"], before = inputs.find("relations");  // [n d] [s d d]
  in.label("n", x);
  const auto [W_q, W_k, W_v] = in.params<3>();  // [s n] [r n] [r n]
  const Var one = fill(in.graph(), {1}, 1), none = fill(in.graph(), {1}, 0);
  const auto mixed = [&](Var W) { return layer_norm(matmul(W, x), one, none); };
  const Var q = let("Q", mixed(W_q)), k = let("K", mixed(W_k)), v = let("V", mixed(W_v));
  const Var bound = let("S", in.activate(pair_rows(q) * pair_columns(k)));                // [s r d]
  const Var own = let("\\operatorname{SAM}(M)", matmul(transpose(bound), expand(v, 0)));  // [s d d]
  const Var gained = own * in.scalar("alpha");
  return {{out::query, q, "s:query d"},
          {out::key, k, "slots:key d"},
          {out::value, v, "slots:key d"},
          {out::context, own, "s:query d d"},
          {out::output, let("R'", before ? before + gained : gained), "s:query d d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const auto mixed = [&](const char* W) { return standardised(product(in.parameter(W), x)); };
  const Array q = mixed("W_q"), k = mixed("W_k"), v = mixed("W_v");
  Array own({q.rows(), x.cols(), x.cols()}), out = own;
  for (std::size_t s = 0; s < q.rows(); ++s) {
    for (std::size_t c = 0; c < x.cols(); ++c) {
      for (std::size_t f = 0; f < x.cols(); ++f) {
        for (std::size_t j = 0; j < k.rows(); ++j)
          own(s, c, f) += activate(in.text("act"), q(s, c) * k(j, c)) * v(j, f);
        out(s, c, f) = in["relations"](s, c, f) + in.number("alpha") * own(s, c, f);
      }
    }
  }
  return {{"context", own}, {"output", out}};
}

extern const Mechanism record{
    .id = "sam",
    .aliases = {"self-attentive-associative-memory"},
    .parameters = {{"W_q", "s n", Distribution::unit},
                   {"W_k", "slots n", Distribution::unit},
                   {"W_v", "slots n", Distribution::unit}},
    .knobs = {size_knob("queries", "s", 3., 1, 16), size_knob("slots", "slots", 4., 1, 16),
              number_knob("alpha", 1., 0, 2), activation_knob("tanh")},
    .roles = {{"x", "n d"}, {"relations", "s d d", false}},
    .excludes = {never_causal("projections-mix-all"_reason)},
    .laws = {.permutation = false},
    .coordinates = {{"type", "self-attentive"}},
    .extents = {{"s", 3}, {"d", 4}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::sam_entry
