// SPDX-License-Identifier: Apache-2.0
// Lightning attention:  S_t = gamma S_{t-1} + k_t^T v_t,  o_t = scale q_t S_t,  gamma = exp(-m f),
//   m = 2^(-8 (t+1) / h) for head t of h,  f = 1 - layer / (layers - 1 + 1e-5) + 1e-5
// Qin et al. 2024, arXiv:2401.04658
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::lightning_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  if (in.integer("layer") >= in.integer("layers")) {
    refuse(in.choice.path + "/layer", "layers are counted from 0, so layer must be at most " +
                                          std::to_string(in.integer("layers") - 1) +
                                          ", one less than layers; found " +
                                          std::to_string(in.integer("layer")));
  }
  const double f = 1 - in.number("layer") / (in.number("layers") - 1 + 1e-5) + 1e-5;
  const Var gamma = head_numbers(in, "gamma", [=](std::size_t t, std::size_t h) {
    return std::exp(-f * std::exp2(-8 * static_cast<double>(t + 1) / static_cast<double>(h)));
  });  // [.. 1 1]
  return remembering(in, {.query = scaled_query(in),
                          .key = in.k,
                          .decay = let("\\gamma", gamma),
                          .chunk = in.integer("chunk")});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const double depth = in.number("layer") / (in.number("layers") - 1 + 1e-5);
  const double gamma = std::exp(-(1 - depth + 1e-5) / 256);  // one head: m = 2^-8
  return loops::by_fading(in, Array({in["key"].rows(), 1}, gamma));
}

extern const Mechanism record{
    .id = "lightning",
    .aliases = {"lightning-attention", "transnormer"},
    .knobs = {integer_knob("layers", 1., 1, 96).at_least(1),
              integer_knob("layer", 0., 0, 95).at_least(0), chunk_knob,
              number_knob("scale", 1., .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false, .heads_alike = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::lightning_entry
