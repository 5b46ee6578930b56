// SPDX-License-Identifier: Apache-2.0
// Gated DeltaNet: the memory fades, then a value replaces what it holds under its key.
//   S' = alpha_t S_{t-1},  S_t = S' + beta_t k_t^T (v_t - k_t S'),  o_t = scale q_t S_t;
//   gates from the token:  alpha_t = exp(-exp(A_log) softplus(x_t w_alpha + b_alpha)),
//   beta_t = sigmoid(x_t w_beta + b_beta)
// Yang et al. 2024, arXiv:2412.06464
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::gated_deltanet_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var alpha =
      let("\\alpha", row_gate(in, "alpha", [&](Var x) { return decay_of(in, x); }));  // [.. n 1]
  return by_delta_rule(in, alpha, write_strength(in));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array alpha = loops::decay_gates(in, 1);
  return loops::by_delta_rule(in, &alpha);
}

extern const Mechanism record{
    .id = "gated-deltanet",
    .aliases = {"gated-delta-rule"},
    .parameters = {{"alpha", "n", Distribution::half},
                   {"beta", "n", Distribution::one},
                   {"w_alpha", "dx"},
                   {"b_alpha", "", Distribution::zero},
                   {"A_log", "", Distribution::zero},
                   {"w_beta", "dx"},
                   {"b_beta", "", Distribution::zero}},
    .knobs = delta_knobs,
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::gated_deltanet_entry
