// SPDX-License-Identifier: Apache-2.0
// Retention (RetNet):  S_t = gamma S_{t-1} + k_t^T v_t,  o_t = scale q_t S_t
// Sun et al. 2023, arXiv:2307.08621
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::retention_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var gamma = let("\\gamma", head_numbers(in, "gamma", [](std::size_t t, std::size_t) {
                          return 1 - std::pow(2., -5. - static_cast<double>(t));
                        }));  // [.. 1 1]
  return by_fading(in, gamma);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const bool given = in.knobs.contains("gamma");
  const double gamma = given ? std::get<Tensor>(in.knobs.at("gamma")).data[0] : 1 - 1 / 32.;
  return loops::by_fading(in, Array({in["key"].rows(), 1}, gamma));
}

extern const Mechanism record{
    .id = "retention",
    .aliases = {"retnet"},
    .knobs = {head_numbers_knob("gamma", 0, 1).at_least(0).at_most(1), chunk_knob,
              number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false, .heads_alike = false},
    .coordinates = core_coordinates,
    .example = R"("gamma": 0.8)",  // which is not another one in every head
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::retention_entry
