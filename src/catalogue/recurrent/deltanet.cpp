// SPDX-License-Identifier: Apache-2.0
// DeltaNet: a value replaces what the memory holds under its key.
//   S_t = S_{t-1} + beta_t k_t^T (v_t - k_t S_{t-1}),  o_t = scale q_t S_t, with q and k brought to length 1;
//   beta is given, or comes from the token:  beta_t = sigmoid(x_t w_beta + b_beta)
// Yang et al. 2024, arXiv:2406.06484
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::deltanet_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  return by_delta_rule(in, {}, write_strength(in));
}

}  // namespace

Arrays reference(const ReferenceIn& in) { return loops::by_delta_rule(in); }

extern const Mechanism record{
    .id = "deltanet",
    .aliases = {"delta-rule"},
    .parameters = {{"beta", "n", Distribution::one},
                   {"w_beta", "dx"},
                   {"b_beta", "", Distribution::zero}},
    .knobs = delta_knobs,
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::deltanet_entry
