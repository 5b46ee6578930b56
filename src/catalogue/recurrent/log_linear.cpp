// SPDX-License-Identifier: Apache-2.0
// Log-linear attention: one memory for each power of two instead of one for all tokens.
//   A_ij = scale lambda_{i, l(i, j)} q_i.k_j prod_{s=j+1..i} alpha_s for j <= i;
//   l(i, i) = 0, else 1 + the place of the highest bit in which i and j differ
// Guo et al. 2025, arXiv:2506.04761
#include <bit>
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/parts/cores/feature_maps.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"
#include "ops/scan.h"

namespace attend::log_linear_entry {
namespace {

// From token t - 1 to t, all levels up to the number of zeros at the end of t go into the next one: a carry.
Var carries(const CoreIn& in) {
  Tensor zeros{{in.n(), 1, 1, 1}, {0}};
  for (std::size_t t = 1; t < in.n(); ++t)
    zeros.data.push_back(static_cast<double>(std::countr_zero(t)));
  return in.constant("carries", zeros);
}

// The states of a scan [n .. L p dv] -> [.. n L p dv].
Var levels_by_row(Var states) {
  std::vector<long> axes;
  const long rank = static_cast<long>(states.rank());
  for (long i = 1; i + 3 < rank; ++i) axes.push_back(i);
  for (const long axis : {0L, rank - 3, rank - 2, rank - 1}) axes.push_back(axis);
  return permute(states, axes);
}

Scanned remembered_by_level(const CoreIn& in, Var q, Var alpha, Var lambda, Var v, bool keeps) {
  const std::size_t levels = lambda.extent(-1);
  Shape shape = memory_shape({q, in.k, alpha, v}, in.p(), v.extent(-1));
  shape.insert(shape.end() - 2, levels);
  const Var level = reshape(iota(in.graph(), levels), {levels, 1, 1});
  ScanRecorder steps(in.graph(), in.n());
  const Var S = steps.state({"S_{t-1}", zeros(in.graph(), shape)});  // [.. L p dv]
  const Var key = steps.row({"k_t", by_step(in.k)}), value = steps.row({"v_t", by_step(v)});
  const Var a = steps.row({"\\alpha_t", by_step(alpha)}), asked = steps.row({"q_t", by_step(q)});
  const Var share = steps.row({"\\lambda_t", by_step(lambda)});
  const Var next = steps.row({"c_t", carries(in)}) + 1;  // [1 1 1]
  const Var joined = sum(S * greater(next, level), -3, true);
  const Var moved = S * greater(level, next) + equal(level, next) * joined;
  const Var own = equal(level, scalar(level, 0)) * expand(matmul(key, value, true, false), -3);
  const Var after = let("S_t", expand(a, -1) * moved + own);
  steps.next(S, after);
  const Var read = squeeze(matmul(expand(asked, -2), after), -2);  // [.. L dv]
  steps.output(matmul(share, read));
  return keeps ? steps.finish() : steps.finish_quietly();
}

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var alpha =
      let("\\alpha", row_gate(in, "alpha", [](Var x) { return sigmoid(x); }));  // [.. n 1]
  const Var lambda =
      let("\\lambda", gate(in, "lambda", [](Var x) { return activation("softplus", x); }));
  const std::size_t levels = lambda.extent(-1), needed = 1 + std::bit_width(in.n() - 1);
  if (levels < needed) {
    refuse("lambda has " + std::to_string(levels) + " columns, and " + std::to_string(in.n()) +
           " tokens need at least " + std::to_string(needed) +
           ": one for the token itself and one for each power of two");
  }
  const Var q = scaled_query(in);
  return {[=, first = true](Var v) mutable {
            const bool keeps = first && states_fit(in, levels * in.p(), v);
            const Scanned all = remembered_by_level(in, q, alpha, lambda, v, keeps);
            const std::string front = in.family.heads > 0 ? "h " : "";
            if (first) in.output(out::state, all.last[0], front + "L p dv");
            if (keeps) {
              in.label("t", in.k);
              in.output(out::state.as("states"), levels_by_row(all.states[0]), front + "t L p dv");
            }
            first = false;
            return by_row(all.outputs[0]);
          },
          {},
          "n",
          false};
}

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"];
  const std::size_t n = k.rows();
  const Array alpha = loops::gates(in, "alpha", 1, loops::logistic);
  const std::size_t levels =
      in.text("gates") == "given" ? in.parameter("lambda").cols() : in.parameter("b_lambda").cols();
  const Array lambda = loops::gates(in, "lambda", levels, loops::softplus);
  Array map({n, n}), states({n, levels, k.cols(), v.cols()}), state({levels, k.cols(), v.cols()});
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      std::size_t level = 0;
      for (std::size_t differ = i ^ j; differ > 0; differ /= 2) ++level;
      double kept = 1;
      for (std::size_t s = j + 1; s <= i; ++s) kept *= alpha(s, 0);
      map(i, j) = in.number("scale") * lambda(i, level) * inner(q.row(i), k.row(j)) * kept;
      for (std::size_t c = 0; c < k.cols(); ++c) {
        for (std::size_t o = 0; o < v.cols(); ++o) {
          states(i, level, c, o) += kept * k(j, c) * v(j, o);
          if (i + 1 == n) state(level, c, o) += kept * k(j, c) * v(j, o);
        }
      }
    }
  }
  return {{"context", weighted(map, v)},
          {"implied", map},
          {"weights", map},
          {"state", state},
          {"states", states}};
}

}  // namespace

extern const Mechanism log_linear_record;
const Mechanism log_linear_record{
    .id = "log-linear",
    .aliases = {"log-linear-attention"},
    .parameters = {{"alpha", "n", Distribution::half},
                   {"lambda", "n L", Distribution::one},
                   {"w_alpha", "dx"},
                   {"b_alpha", "", Distribution::zero},
                   {"W_lambda", "dx L"},
                   {"b_lambda", "L", Distribution::zero}},
    .symbols = {{"L", "bits_below_n+1"}},
    .knobs = {gates_knob, number_knob("scale", 1., .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
extern const Reference log_linear_reference;
const Reference log_linear_reference{reference};
}  // namespace attend::log_linear_entry
