// SPDX-License-Identifier: Apache-2.0
// The matrix memory of xLSTM:  f = sigmoid(fg), i = exp(ig),
//   S_t = f_t S_{t-1} + i_t k_t^T v_t / sqrt(p),  z_t = f_t z_{t-1} + i_t k_t / sqrt(p),
//   o_t = q_t S_t / max(|q_t . z_t|, 1);
//   computed with all of them times exp(-m_t), m_t = max(log f_t + m_{t-1}, ig_t), which changes nothing
// Beck et al. 2024, arXiv:2405.04517
#include "catalogue/entry.h"
#include "catalogue/parts/cores/chunk_rows.h"
#include "catalogue/parts/cores/chunks.h"
#include "catalogue/parts/cores/feature_maps.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"
#include "ops/scan.h"

namespace attend::mlstm_entry {
namespace {

// The running maximum before and after each token, [.. n 1].
struct Maximum {
  Var before, after;
};

Maximum running_maximum(const CoreIn& in, Var log_f, Var ig) {
  Shape shape = ig.shape();
  shape.end()[-2] = 1;
  ScanRecorder steps(in.graph(), in.n());
  const Var m = steps.state({"m_{t-1}", fill(in.graph(), shape, -1e30)});  // [.. 1 1]
  const Var next = maximum(steps.row({"f_t", by_step(log_f)}) + m, steps.row({"i_t", by_step(ig)}));
  steps.next(m, next);
  steps.output(m + 0);
  steps.output(next);
  const Scanned done = steps.finish_quietly();
  return {detach(by_row(done.outputs[0])), detach(by_row(done.outputs[1]))};
}

// The maximum m behind a row or several, of the m before them: max(add + m, floor), [.. B 1].
struct Steps {
  Var add, floor;
};

// The same, `size` rows at a time.
Maximum running_maximum_in_chunks(const CoreIn& in, Var log_f, Var ig, std::size_t size) {
  const std::size_t n = in.n();
  Shape shape = ig.shape();
  shape.end()[-2] = 1;
  ScanRecorder steps(in.graph(), (n + size - 1) / size);
  ChunkRows rows(steps, n, size);
  const Var m = steps.state({"m", fill(in.graph(), shape, -1e30)});  // [.. 1 1]
  Steps all{rows(log_f), rows(ig, -1e30)};
  for (std::size_t behind = 1; behind < size; behind *= 2) {
    // Row t joins what rows t - behind and before it have joined; there is nothing before the chunk.
    const auto earlier = [&](Var x, double nothing) {
      Shape first = x.shape();
      first.end()[-2] = behind;
      return concat({fill(x.graph(), first, nothing), slice(x, -2, 0, size - behind)}, -2);
    };
    all = {all.add + earlier(all.add, 0), maximum(all.add + earlier(all.floor, -1e30), all.floor)};
  }
  const Var after = maximum(all.add + m, all.floor);
  steps.next(m, slice(after, -2, size - 1, size));
  steps.output(size == 1 ? m + 0 : concat({m, slice(after, -2, 0, size - 1)}, -2));
  steps.output(after);
  const Scanned done = steps.finish_quietly();
  return {detach(rows_of_blocks(done.outputs[0], n)), detach(rows_of_blocks(done.outputs[1], n))};
}

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const auto same = [](Var x) { return x; };
  const Var ig = row_gate(in, "ig", same), fg = row_gate(in, "fg", same);  // [.. n 1]
  const Var log_f = -activation("softplus", -fg);
  const std::size_t chunk = in.integer("chunk");
  const bool chunks = chunk < in.n();
  const Maximum m =
      chunks ? running_maximum_in_chunks(in, log_f, ig, chunk) : running_maximum(in, log_f, ig);
  const Var f = let("f", exp(log_f + m.before - m.after)), i = let("i", exp(ig - m.after));
  const Memory memory{.query = in.q,
                      .key = i * in.k / std::sqrt(static_cast<double>(in.p())),
                      .decay = f,
                      .chunk = chunk,
                      .sums = chunks};
  const Var one = fill(in.graph(), {in.n(), 1}, 1), least = exp(-m.after);
  const Var total =  // [.. n 1]
      chunks ? Var{} : let("z", maximum(absolute(remembered(in, memory, one, false).read), least));
  // A larger memory is given relative to e^60: no float holds it.
  const Var size = exp(-maximum(-m.after, scalar(m.after, -60)));
  return {[=, first = true](Var v) mutable {
            const bool keeps = first && states_fit(in, in.p(), v);
            const Finish divided = [&](const Read& read, const Here& here) {
              return read.values /
                     (chunks ? maximum(absolute(read.sums), here(least)) : here(total));
            };
            Remembered all = remembered(in, memory, v, keeps, divided);
            all.last = all.last * row(size, in.n() - 1);
            if (all.states) all.states = all.states * expand(size, -1);
            if (first) output_memory(in, all);
            first = false;
            return all.read;
          },
          {},
          "n",
          false};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const auto same = [](double x) { return x; };
  const Array ig = loops::gates(in, "ig", 1, same), fg = loops::gates(in, "fg", 1, same);
  const double root = std::sqrt(static_cast<double>(k.cols()));
  const auto read = [&](std::size_t i) {
    double found = 0, kept = 1;
    for (std::size_t j = i + 1; j-- > 0; kept *= loops::logistic(fg(j, 0)))
      found += kept * std::exp(ig(j, 0)) * inner(q.row(i), k.row(j)) / root;
    return times(q.row(i), 1 / std::max(std::abs(found), 1.));
  };
  return loops::by_transitions(
      in,
      {.read = read,
       .write = [&](std::size_t j) { return times(k.row(j), std::exp(ig(j, 0)) / root); },
       .carry = [&](std::size_t t, const Row& x) { return times(x, loops::logistic(fg(t, 0))); }});
}

extern const Mechanism record{
    .id = "mlstm",
    .aliases = {"xlstm"},
    .parameters = {{"ig", "n", Distribution::zero},
                   {"fg", "n", Distribution::one},
                   {"w_ig", "dx"},
                   {"b_ig", "", Distribution::zero},
                   {"w_fg", "dx"},
                   {"b_fg", "", Distribution::zero}},
    .knobs = {gates_knob, chunk_knob},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::mlstm_entry
