// SPDX-License-Identifier: Apache-2.0
// Kimi delta attention: gated DeltaNet with a decay for each feature of the key.
//   S' = diag(alpha_t) S_{t-1},  S_t = S' + beta_t k_t^T (v_t - k_t S'),  o_t = scale q_t S_t;
//   gates from the token:  alpha_t = exp(-exp(A_log) softplus(x_t W_alpha + b_alpha)),
//   beta_t = sigmoid(x_t w_beta + b_beta)
// Kimi Team 2025, arXiv:2510.26692
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::kda_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var alpha =
      let("\\alpha", gate(in, "alpha", [&](Var x) { return decay_of(in, x); }));  // [.. n p]
  return by_delta_rule(in, alpha, write_strength(in));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array alpha = loops::decay_gates(in, in["key"].cols());
  return loops::by_delta_rule(in, &alpha);
}

extern const Mechanism record{
    .id = "kda",
    .aliases = {"kimi-delta-attention"},
    .parameters = {{"alpha", "n p", Distribution::half},
                   {"beta", "n", Distribution::one},
                   {"W_alpha", "dx p"},
                   {"b_alpha", "p", Distribution::zero},
                   {"A_log", "", Distribution::zero},
                   {"w_beta", "dx"},
                   {"b_beta", "", Distribution::zero}},
    .knobs = delta_knobs,
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::kda_entry
