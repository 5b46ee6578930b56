// SPDX-License-Identifier: Apache-2.0
// The time mix of RWKV-7:  kappa = k * k_k / |k * k_k|,  k~ = k * (1 + (a - 1) * k_a),
//   S_t = diag(w_t) S_{t-1} - (kappa * a)^T (kappa S_{t-1}) + k~^T v_t,  o_t = scale q_t S_t;
//   gates from the token:  w = exp(-e^(-1/2) sigmoid(x W_w + b_w)),  a = sigmoid(x W_a + b_a)
// Peng et al. 2025, arXiv:2503.14456
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::rwkv_7_entry {
namespace {

const double slowest = std::exp(-.5);  // w never falls below exp(-slowest)
constexpr double shortest = 1e-12;     // rows shorter than this stay short

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var w = let("w", gate(in, "w", [](Var x) { return exp(sigmoid(x) * -slowest); })),
            a = let("a", gate(in, "a", [](Var x) { return sigmoid(x); }));  // [.. n p]
  const Var bent = in.k * in.param("k_k"), length = norm(bent, -1, true);
  const Var kappa = let("\\kappa", bent / maximum(length, scalar(length, shortest)));
  const Var key = let("\\tilde{k}", in.k * (1 + (a - 1) * in.param("k_a")));
  return remembering(in, {.query = scaled_query(in),
                          .key = key,
                          .decay = w,
                          .find = kappa,
                          .erase = kappa * a,
                          .finds_before_decay = true,
                          .chunk = in.integer("chunk")});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t p = in["key"].cols();
  const Array w = loops::gates(
                  in, "w", p,
                  [](double x) { return std::exp(-loops::logistic(x) / std::sqrt(std::exp(1.))); }),
              a = loops::gates(in, "a", p, loops::logistic);
  const auto kappa = [&](std::size_t t) {
    const Row bent = times(in["key"].row(t), in.parameter("k_k").data);
    return times(bent, 1 / std::max(std::sqrt(inner(bent, bent)), shortest));
  };
  return loops::by_transitions(
      in, {.read = [&](std::size_t i) { return times(in["query"].row(i), in.number("scale")); },
           .write =
               [&](std::size_t j) {
                 Row key = in["key"].row(j);
                 for (std::size_t c = 0; c < p; ++c)
                   key[c] *= 1 + (a(j, c) - 1) * in.parameter("k_a")(c);
                 return key;
               },
           .carry =
               [&](std::size_t t, const Row& x) {
                 const Row k = kappa(t);
                 return plus(times(x, w.row(t)), times(k, a.row(t)), -inner(k, x));
               }});
}

extern const Mechanism record{
    .id = "rwkv-7",
    .aliases = {"goose", "rwkv7"},
    .parameters = {{"w", "n p", Distribution::half},
                   {"a", "n p", Distribution::half},
                   {"W_w", "dx p"},
                   {"b_w", "p", Distribution::zero},
                   {"W_a", "dx p"},
                   {"b_a", "p", Distribution::zero},
                   {"k_k", "p", Distribution::one},
                   {"k_a", "p", Distribution::one}},
    .knobs = {gates_knob, chunk_knob, number_knob("scale", 1., .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::rwkv_7_entry
