// SPDX-License-Identifier: Apache-2.0
// Gated slot attention: softmax over a few slots, each a mean of keys and of values that fades, with s = 1 - alpha:
//   K_t = K_{t-1} diag(alpha_t) + k_t^T s_t,  p_t = softmax(scale q_t K_t),
//   V_t = diag(alpha_t) V_{t-1} + s_t^T v_t,  o_t = p_t V_t;
//   alpha is given, or comes from the token:  alpha_t = sigmoid(x_t W_alpha + b_alpha)^(1/8)
// Zhang et al. 2024, arXiv:2409.07146
#include "catalogue/entry.h"
#include "catalogue/parts/cores/chunk_decays.h"
#include "catalogue/parts/cores/chunk_rows.h"
#include "catalogue/parts/cores/chunks.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"
#include "ops/scan.h"

namespace attend::gated_slot_entry {
namespace {

// What each query finds in the slots of keys, [.. n r].
Var slot_scores(const CoreIn& in, Var q, Var alpha) {
  const Shape shape = memory_shape({q, in.k, alpha}, alpha.extent(-1), in.p());
  ScanRecorder steps(in.graph(), in.n());
  const Var K = steps.state({"K_{t-1}", zeros(in.graph(), shape)});  // [.. r p]
  const Var a = steps.row({"\\alpha_t", by_step(alpha)}), k = steps.row({"k_t", by_step(in.k)});
  const Var after = transpose(a) * K + matmul(1 - a, k, true, false);
  steps.next(K, after);
  steps.output(matmul(steps.row({"q_t", by_step(q)}), after, false, true));  // [.. 1 r]
  return by_row(steps.finish_quietly().outputs[0]);
}

// The same, `size` rows at a time. Row t finds the keys before it with the decays of their slots up to its own.
Var slot_scores_in_chunks(const CoreIn& in, Var q, Var alpha, std::size_t size) {
  const std::size_t n = in.n();
  const Shape shape = memory_shape({q, in.k, alpha}, alpha.extent(-1), in.p());
  ScanRecorder steps(in.graph(), (n + size - 1) / size);
  ChunkRows rows(steps, n, size);
  const Var K = steps.state({"K", zeros(in.graph(), shape)});  // [.. r p]
  const Var a = rows(alpha, 1), k = rows(in.k), asked = rows(q), s = 1 - a;
  ChunkDecays decays(in.graph().innermost(), a, a.extent(-2));
  const Var kept =
      decays.since_start(matmul(asked, K, false, true));  // of the keys before the chunk
  const Var own = sum(asked * k, -1, true) * s;
  const Var scores = a * (kept + decays.sums(asked, k, s)) + own;
  steps.next(K, decays.faded(K) + matmul(decays.until_end(s), k, true, false));
  steps.output(scores);
  return rows_of_blocks(steps.finish_quietly().outputs[0], n);
}

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var alpha = let("\\alpha", gate(in, "alpha", [](Var x) {  // [.. n r]
                          return power(sigmoid(x), scalar(x, 1. / 8));
                        }));
  const Var q = scaled_query(in);
  const std::size_t chunk = in.integer("chunk");
  const Var scores =
      chunk < in.n() ? slot_scores_in_chunks(in, q, alpha, chunk) : slot_scores(in, q, alpha);
  const Var p = let("p", softmax(scores));
  return remembering(in, {.query = p, .key = 1 - alpha, .decay = alpha, .chunk = chunk});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const bool given = in.text("gates") == "given";
  const std::size_t slots = given ? in.parameter("alpha").cols() : in.parameter("b_alpha").cols();
  const Array alpha = loops::gates(in, "alpha", slots,
                                   [](double x) { return std::pow(loops::logistic(x), 1. / 8); });
  const auto shares = [&](std::size_t i) {
    Row scores(slots);
    for (std::size_t r = 0; r < slots; ++r) {
      double kept = in.number("scale");
      for (std::size_t j = i + 1; j-- > 0; kept *= alpha(j, r))
        scores[r] += kept * (1 - alpha(j, r)) * inner(q.row(i), k.row(j));
    }
    return softened(scores);
  };
  return loops::by_transitions(
      in, {.read = shares,
           .write = [&](std::size_t j) { return plus(Row(slots, 1), alpha.row(j), -1); },
           .carry = [&](std::size_t t, const Row& x) { return times(x, alpha.row(t)); }});
}

extern const Mechanism record{
    .id = "gated-slot",
    .aliases = {"gsa", "gated-slot-attention"},
    .parameters = {{"alpha", "n r", Distribution::half},
                   {"W_alpha", "dx r"},
                   {"b_alpha", "r", Distribution::zero}},
    .knobs = {gates_knob, size_knob("slots", "r", 8., 1, 32), chunk_knob,
              number_knob("scale", "1/sqrt(p)", .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::gated_slot_entry
