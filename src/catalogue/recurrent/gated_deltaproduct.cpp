// SPDX-License-Identifier: Apache-2.0
// Gated DeltaProduct: for each token the memory fades once, then takes r steps of the delta rule, with the keys and
// values r t .. r t + r - 1:
//   S' = alpha_t S_{t-1},  r times  S' <- S' + beta_u k_u^T (v_u - k_u S'),  S_t = S',  o_t = scale q_t S_t
// Siems et al. 2025, arXiv:2502.10297
#include "catalogue/entry.h"
#include "catalogue/parts/cores/feature_maps.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::gated_deltaproduct_entry {
namespace {

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const std::size_t r = in.keys_per_query;
  if (in.n() != r * in.m()) {
    refuse(in.choice.path + "/steps",
           "each query needs " + std::to_string(r) + " rows of keys and values; there are " +
               std::to_string(in.m()) + " queries and " + std::to_string(in.n()) + " keys");
  }
  const Var alpha =  // [.. m 1]
      in.text("gates") == "given"
          ? transpose(in.param("alpha"))
          : decay_of(in,
                     matmul(in.whole.q, in.param("w_alpha"), false, true) + in.param("b_alpha"));
  const Var decay = let("\\alpha", alpha);
  return by_delta_rule(in, decay, write_strength(in), r);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &v = in["value"];
  const std::size_t m = q.rows(), r = v.rows() / m, p = q.cols();
  const Array beta = loops::write_strengths(in);
  Row alpha;
  for (std::size_t t = 0; t < m; ++t) {
    if (in.text("gates") == "given") {
      alpha.push_back(in.parameter("alpha")(t));
      continue;
    }
    const double x = in.parameter("b_alpha")() + inner(q.row(t), in.parameter("w_alpha").data);
    alpha.push_back(std::exp(-std::exp(in.parameter("A_log")()) * loops::softplus(x)));
  }
  const auto key = [&](std::size_t u) { return loops::prepared(in, in["key"].row(u)); };
  const auto erased = [&](std::size_t u, Row x) {
    return loops::without(std::move(x), times(key(u), beta(u, 0)), key(u));
  };
  Array map({m, v.rows()}), states({m, p, v.cols()}), state({p, v.cols()});
  for (std::size_t j = 0; j < v.rows(); ++j) {  // what becomes of each key that is written
    Row x = times(key(j), beta(j, 0));
    for (std::size_t u = j + 1; u < (j / r + 1) * r; ++u) x = erased(u, x);
    for (std::size_t i = j / r; i < m; ++i) {
      if (i > j / r) x = times(x, alpha[i]);
      for (std::size_t u = i * r; i > j / r && u < (i + 1) * r; ++u) x = erased(u, x);
      map(i, j) = in.number("scale") * inner(loops::prepared(in, q.row(i)), x);
      for (std::size_t c = 0; c < p; ++c) {
        for (std::size_t o = 0; o < v.cols(); ++o) {
          states(i, c, o) += x[c] * v(j, o);
          if (i + 1 == m) state(c, o) += x[c] * v(j, o);
        }
      }
    }
  }
  return {{"context", product(map, v)},
          {"implied", map},
          {"weights", map},
          {"state", state},
          {"states", states}};
}

extern const Mechanism record{
    .id = "gated-deltaproduct",
    .aliases = {"deltaproduct"},
    .parameters = {{"alpha", "m", Distribution::one},
                   {"beta", "n", Distribution::one},
                   {"w_alpha", "dxq"},
                   {"b_alpha", "", Distribution::zero},
                   {"A_log", "", Distribution::zero},
                   {"w_beta", "dx"},
                   {"b_beta", "", Distribution::zero}},
    .knobs = {gates_knob, integer_knob("steps", "ceil(n/m)", 1, 4).at_least(1),
              flag_knob("negative", false), normalise_knob, delta_act_knob, chunk_knob,
              number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 3}, {"n", 6}},
    .behaviour = Core{
        .build = build, .masks = causal_mask, .always_causal = true, .keys_per_query = "steps"}};
}  // namespace attend::gated_deltaproduct_entry
