// SPDX-License-Identifier: Apache-2.0
// Gated linear attention with one gate for all features:  S_t = alpha_t S_{t-1} + k_t^T v_t,  o_t = scale q_t S_t;
// the gates are given, or come from the token:  alpha_t = sigmoid(x_t w_alpha + b_alpha)^(1/tau)
// Yang et al. 2023, arXiv:2312.06635; this form in the library flash-linear-attention
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::simple_gla_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var alpha = let("\\alpha", row_gate(in, "alpha", [&](Var x) {  // [.. n 1]
                          return power(sigmoid(x), 1 / in.scalar("tau"));
                        }));
  return remembering(
      in, {.query = scaled_query(in), .key = in.k, .decay = alpha, .chunk = in.integer("chunk")});
}

Arrays reference(const ReferenceIn& in) {
  const Array alpha = loops::gates(
      in, "alpha", 1, [&](double x) { return std::exp(-loops::softplus(-x) / in.number("tau")); });
  return loops::by_transitions(
      in,
      {.read = [&](std::size_t i) { return loops::times(in["query"].row(i), in.number("scale")); },
       .write = [&](std::size_t j) { return in["key"].row(j); },
       .carry = [&](std::size_t t, const Row& x) { return loops::times(x, alpha(t, 0)); }});
}

}  // namespace

extern const Mechanism simple_gla_record;
const Mechanism simple_gla_record{
    .id = "simple-gla",
    .parameters = {{"alpha", "n", Distribution::half},
                   {"w_alpha", "dx"},
                   {"b_alpha", "", Distribution::zero}},
    .knobs = {gates_knob, number_knob("tau", 16., 1, 32).above(0).log_scale(), chunk_knob,
              number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
extern const Reference simple_gla_reference;
const Reference simple_gla_reference{reference};
}  // namespace attend::simple_gla_entry
