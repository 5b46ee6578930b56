// SPDX-License-Identifier: Apache-2.0
// Gated DeltaNet-2: what is erased and what is written have a gate for each feature.
//   S' = diag(alpha_t) S_{t-1},  S_t = S' + k_t^T (w_t * v_t - (b_t * k_t) S'),  o_t = scale q_t S_t
// Hatamizadeh et al. 2026, arXiv:2605.22791
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::gdn_2_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var key = let("\\hat{k}", normalised(in, in.k));  // [.. n p]
  const Var query = let("\\hat{q}", normalised(in, in.q)) * in.scalar("scale");
  const Memory memory{.query = query,
                      .key = key,
                      .decay = in.param("alpha"),
                      .find = in.param("b") * key,
                      .chunk = in.integer("chunk"),
                      .names = {.query = delta_names.query,
                                .key = delta_names.key,
                                .value = "w_t v_t",
                                .find = "b_t \\hat{k}_t"}};
  const Var w = in.param("w");  // [.. n dv]
  Weighing all = remembering(in, memory, [=](Var v) { return w * v; });
  all.maps = [=] {
    const Var one = identity(in.graph(), in.n());
    const Var map = remembered(in, memory, one, false).read;  // [.. n n]
    return expand(map, -3) * expand(transpose(w), -2);        // [.. dv n n]
  };
  return all;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &v = in["value"], &w = in.parameter("w");
  ReferenceIn gated = in;
  gated.tensors["value"] = times(v, w);
  const auto key = [&](std::size_t t) { return loops::prepared(in, in["key"].row(t)); };
  Arrays all = loops::by_transitions(
      gated, {.read =
                  [&](std::size_t i) {
                    return times(loops::prepared(in, in["query"].row(i)), in.number("scale"));
                  },
              .write = key,
              .carry =
                  [&](std::size_t t, const Row& x) {
                    return loops::without(times(x, in.parameter("alpha").row(t)), key(t),
                                          times(key(t), in.parameter("b").row(t)));
                  }});
  const Array one = all.at("implied");
  Array maps({v.cols(), v.rows(), v.rows()});
  for (std::size_t c = 0; c < v.cols(); ++c) {
    for (std::size_t i = 0; i < v.rows(); ++i) {
      for (std::size_t j = 0; j <= i; ++j) maps(c, i, j) = one(i, j) * w(j, c);
    }
  }
  all["implied"] = all["weights"] = maps;
  return all;
}

extern const Mechanism record{
    .id = "gdn-2",
    .aliases = {"gated-deltanet-2"},
    .parameters = {{"alpha", "n p", Distribution::half},
                   {"b", "n p", Distribution::one},
                   {"w", "n dv", Distribution::one}},
    .knobs = {choice_knob("gates", "given", {"given"}), normalise_knob, delta_act_knob, chunk_knob,
              number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::gdn_2_entry
