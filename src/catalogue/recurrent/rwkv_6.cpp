// SPDX-License-Identifier: Apache-2.0
// The time mix of RWKV-5 and RWKV-6, which reads before it writes:
//   o_t = scale q_t (S_{t-1} + diag(u) k_t^T v_t),  S_t = diag(w_t) S_{t-1} + k_t^T v_t;
//   w is given, or comes from the token:  w_t = exp(-exp(x_t W_w + b_w))
// Peng et al. 2024, arXiv:2404.05892
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::rwkv_6_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var w = let("w", gate(in, "w", [](Var x) { return exp(-exp(x)); }));  // [.. n p]
  const Var query = scaled_query(in);
  const Var own = let("r", sum(query * in.param("u") * in.k, -1, true));  // [.. n 1]
  return remembering(
      in,
      {.query = query, .key = in.k, .decay = w, .reads_before = true, .chunk = in.integer("chunk")},
      {}, [=](Var read, Var v, const Here& here) { return read + here(own) * here(v); });
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const Array w = loops::gates(in, "w", k.cols(), [](double x) { return std::exp(-std::exp(x)); });
  Arrays all = loops::by_transitions(
      in, {.read = [&](std::size_t i) { return q.row(i); },
           .write = [&](std::size_t j) { return k.row(j); },
           .carry = [&](std::size_t t, const Row& x) { return times(x, w.row(t)); }});
  Array map({q.rows(), k.rows()});
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t c = 0; c < k.cols(); ++c) {
      map(i, i) += in.number("scale") * q(i, c) * in.parameter("u")(c) * k(i, c);
      double kept = in.number("scale") * q(i, c);
      // Between j and i only the gates of the tokens after j and before i act.
      for (std::size_t j = i; j-- > 0; kept *= w(j, c)) map(i, j) += kept * k(j, c);
    }
  }
  all["implied"] = all["weights"] = map;
  all["context"] = product(map, in["value"]);
  return all;
}

extern const Mechanism record{
    .id = "rwkv-6",
    .aliases = {"rwkv-5", "finch"},
    .parameters = {{"w", "n p", Distribution::half},
                   {"u", "p", Distribution::one},
                   {"W_w", "dx p"},
                   {"b_w", "p", Distribution::zero}},
    .knobs = {gates_knob, chunk_knob, number_knob("scale", 1., .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::rwkv_6_entry
