// SPDX-License-Identifier: Apache-2.0
// The selective scan of Mamba (S6), with q = C, k = B, v = x of the paper; s counts features of the key, c of values:
//   S_t[s, c] = exp(dt_tc A_cs) S_{t-1}[s, c] + dt_tc k_ts v_tc,  A = -exp(A_log),
//   o_tc = q_t . S_t[:, c] + D_c v_tc;  dt is given, or comes from the token:  dt_t = softplus(x_t W_dt + b_dt)
// Gu & Dao 2023, arXiv:2312.00752
#include "catalogue/entry.h"
#include "catalogue/parts/cores/chunk_rows.h"
#include "catalogue/parts/cores/chunks.h"
#include "catalogue/parts/cores/feature_maps.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"
#include "ops/scan.h"

namespace attend::mamba_entry {
namespace {

// What a row reads and changes: [.. n dv] [.. n dv] [.. n p] [.. n p]. A [.. dv p] is negative, D [.. 1 dv].
struct Rows {
  Var dt, value, key, query;
};

struct Scan {
  CoreIn in;
  Var rate, skip;

  // Row by row, from the memory [.. p dv] on.
  [[nodiscard]] Remembered by_steps(const Rows& rows, Var memory, bool keeps) const {
    ScanRecorder steps(rows.dt.graph().innermost(), rows.dt.extent(-2));
    const Var S = steps.state({"S_{t-1}", memory});
    const Var step = steps.row({"\\Delta_t", by_step(rows.dt)}),
              value = steps.row({"v_t", by_step(rows.value)});
    const Var key = steps.row({"k_t", by_step(rows.key)}),
              query = steps.row({"q_t", by_step(rows.query)});
    const Var after =
        let("S_t", exp(step * transpose(rate)) * S + matmul(key, step * value, true, false));
    steps.next(S, after);
    steps.output(matmul(query, after));  // [.. 1 dv]
    const Scanned done = keeps ? steps.finish() : steps.finish_quietly();
    return {by_row(done.outputs[0]), done.last[0], keeps ? states_by_row(done.states[0]) : Var{}};
  }

  // A decay for each pair of features has no product of matrices. The rows of a chunk still go through the memory one
  // by one, but what they are made of is computed for the chunk, so that nothing else is held for all rows.
  [[nodiscard]] Remembered in_chunks(const Rows& all, Var memory, std::size_t size) const {
    const std::size_t n = in.n();
    ScanRecorder steps(in.graph(), (n + size - 1) / size);
    ChunkRows rows(steps, n, size);
    const Var S = steps.state({"S", memory});
    // A step of 0 behind row n leaves the memory as it is.
    const Rows some{rows(all.dt), rows.of(all.value), rows.of(all.key), rows.of(all.query)};
    const Remembered done = by_steps(some, S, false);
    steps.next(S, done.last);
    steps.output(done.read + skip * some.value);
    const Scanned result = steps.finish_quietly();
    return {rows_of_blocks(result.outputs[0], n), result.last[0], {}};
  }
};

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var dt = let("\\Delta", gate(in, "dt", [](Var x) {  // [.. n dv]
                       return activation("softplus", x);
                     }));
  const Scan scan{in, let("A", -exp(in.param("A_log"))), in.param("D")};  // [.. dv p] [.. 1 dv]
  const std::size_t chunk = in.integer("chunk");
  const auto context = [=, first = true](Var v) mutable {
    const Rows rows{dt, v, in.k, in.q};
    const Shape shape = memory_shape({in.q, in.k, dt, scan.rate, v}, in.p(), v.extent(-1));
    const Var nothing = zeros(in.graph(), shape);
    const bool keeps = first && states_fit(in, in.p(), v), by_steps = chunk >= in.n();
    Remembered all =
        by_steps ? scan.by_steps(rows, nothing, keeps) : scan.in_chunks(rows, nothing, chunk);
    if (by_steps) all.read = all.read + scan.skip * v;
    if (keeps && !by_steps) all.states = scan.by_steps(rows, nothing, true).states;
    if (first) output_memory(in, all);
    first = false;
    return all.read;
  };
  // Each feature of the values has a decay of its own: they stand side by side, each with a map [n n].
  const auto maps = [=] {
    const Var each = expand(transpose(dt), -1);  // [.. dv n 1]
    const Memory memory{.query = expand(in.q, -3),
                        .key = each * expand(in.k, -3),
                        .decay = exp(each * expand(scan.rate, -2)),
                        .chunk = chunk};
    const Var one = identity(in.graph(), in.n());
    return remembered(in, memory, one, false).read + expand(transpose(scan.skip), -1) * one;
  };
  return {context, {}, "n", false, maps};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &v = in["value"], &A_log = in.parameter("A_log");
  const std::size_t n = k.rows(), p = k.cols();
  const Array dt = loops::gates(in, "dt", v.cols(), loops::softplus);
  Array maps({v.cols(), n, n}), context({n, v.cols()}), states({n, p, v.cols()}),
      state({p, v.cols()});
  for (std::size_t c = 0; c < v.cols(); ++c) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double time = 0;
        for (std::size_t s = j + 1; s <= i; ++s) time += dt(s, c);
        for (std::size_t s = 0; s < p; ++s) {
          const double kept = std::exp(-std::exp(A_log(c, s)) * time) * dt(j, c) * k(j, s);
          maps(c, i, j) += q(i, s) * kept;
          states(i, s, c) += kept * v(j, c);
          if (i + 1 == n) state(s, c) += kept * v(j, c);
        }
      }
      maps(c, i, i) += in.parameter("D")(c);
      for (std::size_t j = 0; j <= i; ++j) context(i, c) += maps(c, i, j) * v(j, c);
    }
  }
  return {{"context", context},
          {"implied", maps},
          {"weights", maps},
          {"state", state},
          {"states", states}};
}

extern const Mechanism record{
    .id = "mamba",
    .aliases = {"s6", "selective-scan"},
    .parameters = {{"dt", "n dv", Distribution::half},
                   {"W_dt", "dx dv"},
                   {"b_dt", "dv", Distribution::zero},
                   {"A_log", "dv p", Distribution::zero},
                   {"D", "dv", Distribution::one}},
    .knobs = {gates_knob, chunk_knob},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::mamba_entry
