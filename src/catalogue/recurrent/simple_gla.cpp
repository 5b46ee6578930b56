// SPDX-License-Identifier: Apache-2.0
// Gated linear attention with one gate for all features:  S_t = alpha_t S_{t-1} + k_t^T v_t,  o_t = scale q_t S_t;
// the gates are given, or come from the token:  alpha_t = sigmoid(x_t w_alpha + b_alpha)^(1/tau)
// Yang et al. 2023, arXiv:2312.06635; this form in the library flash-linear-attention
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::simple_gla_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const auto squash = [&](Var x) { return tempered_sigmoid(in, x); };
  return by_fading(in, let("\\alpha", row_gate(in, "alpha", squash)));  // [.. n 1]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return loops::by_fading(in, loops::tempered_gates(in, 1));
}

extern const Mechanism record{
    .id = "simple-gla",
    .parameters = {{"alpha", "n", Distribution::half},
                   {"w_alpha", "dx"},
                   {"b_alpha", "", Distribution::zero}},
    .knobs = {gates_knob, gate_temperature_knob, chunk_knob,
              number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::simple_gla_entry
