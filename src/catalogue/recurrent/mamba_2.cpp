// SPDX-License-Identifier: Apache-2.0
// State space duality, the core of Mamba-2, with q = C, k = B, v = x of the paper:
//   S_t = exp(dt_t A) S_{t-1} + dt_t k_t^T v_t,  A = -exp(A_log),  o_t = scale q_t S_t + D v_t;
//   dt is given, or comes from the token:  dt_t = softplus(x_t w_dt + b_dt)
// Dao & Gu 2024, arXiv:2405.21060
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::mamba_2_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var dt = let("\\Delta", row_gate(in, "dt", [](Var x) {  // [.. n 1]
                       return activation("softplus", x);
                     }));
  const Var decay = let("\\alpha", exp(-exp(in.param("A_log")) * dt));
  return remembering(
      in, {.query = scaled_query(in), .key = in.k, .decay = decay, .chunk = in.integer("chunk")},
      [=](Var v) { return dt * v; },
      [=, D = in.param("D")](Var read, Var v, const Here& here) { return read + D * here(v); });
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array dt = loops::gates(in, "dt", 1, loops::softplus);
  const double A = -std::exp(in.parameter("A_log")());
  return loops::by_transitions(
      in, {.read = [&](std::size_t i) { return times(in["query"].row(i), in.number("scale")); },
           .write = [&](std::size_t j) { return times(in["key"].row(j), dt(j, 0)); },
           .carry = [&](std::size_t t, const Row& x) { return times(x, std::exp(dt(t, 0) * A)); },
           .finish =
               [&](Array& map) {
                 for (std::size_t i = 0; i < map.rows(); ++i) map(i, i) += in.parameter("D")();
               }});
}

extern const Mechanism record{
    .id = "mamba-2",
    .aliases = {"ssd", "mamba2"},
    .parameters = {{"dt", "n", Distribution::half},
                   {"w_dt", "dx"},
                   {"b_dt", "", Distribution::zero},
                   {"A_log", "", Distribution::zero},
                   {"D", "", Distribution::one}},
    .knobs = {gates_knob, chunk_knob, number_knob("scale", 1., .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::mamba_2_entry
