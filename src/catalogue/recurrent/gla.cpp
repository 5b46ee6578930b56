// SPDX-License-Identifier: Apache-2.0
// Gated linear attention:  S_t = diag(alpha_t) S_{t-1} + k_t^T v_t,  o_t = scale q_t S_t;
// the gates are given, or come from the token:  alpha_t = sigmoid(x_t W_alpha + b_alpha)^(1/tau)
// Yang et al. 2023, section 4, arXiv:2312.06635
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::gla_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const auto squash = [&](Var x) { return tempered_sigmoid(in, x); };
  return by_fading(in, let("\\alpha", gate(in, "alpha", squash)));  // [.. n p]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return loops::by_fading(in, loops::tempered_gates(in, in["key"].cols()));
}

extern const Mechanism record{
    .id = "gla",
    .parameters = {{"alpha", "n p", Distribution::half},
                   {"W_alpha", "dx p"},
                   {"b_alpha", "p", Distribution::zero}},
    .knobs = {gates_knob, gate_temperature_knob, chunk_knob,
              number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::gla_entry
