// SPDX-License-Identifier: Apache-2.0
// The matrix memory of xLSTM:  f = sigmoid(fg), i = exp(ig),
//   S_t = f_t S_{t-1} + i_t k_t^T v_t / sqrt(p),  z_t = f_t z_{t-1} + i_t k_t / sqrt(p),
//   o_t = q_t S_t / max(|q_t . z_t|, 1);
//   computed with all of them times exp(-m_t), m_t = max(log f_t + m_{t-1}, ig_t), which changes nothing
// Beck et al. 2024, arXiv:2405.04517
#include <cmath>

#include "catalogue/entry.h"
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

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const auto same = [](Var x) { return x; };
  const Var ig = row_gate(in, "ig", same), fg = row_gate(in, "fg", same);  // [.. n 1]
  const Var log_f = -activation("softplus", -fg);
  const Maximum m = running_maximum(in, log_f, ig);
  const Var f = let("f", exp(log_f + m.before - m.after)), i = let("i", exp(ig - m.after));
  const Memory memory{.query = in.q,
                      .key = i * in.k / std::sqrt(static_cast<double>(in.p())),
                      .decay = f,
                      .chunk = in.integer("chunk")};
  const Var one = fill(in.graph(), {in.n(), 1}, 1);
  const Var found = remembered(in, memory, one, false).read;  // [.. n 1]
  const Var total = let("z", maximum(absolute(found), exp(-m.after)));
  // A larger memory is given relative to e^60: no float holds it.
  const Var size = exp(-maximum(-m.after, scalar(m.after, -60)));
  return {[=, first = true](Var v) mutable {
            const bool keeps = first && states_fit(in, in.p(), v);
            Remembered all = remembered(in, memory, v, keeps, [&](Var read, const Here& here) {
              return read / here(total);
            });
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

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const auto same = [](double x) { return x; };
  const Array ig = loops::gates(in, "ig", 1, same), fg = loops::gates(in, "fg", 1, same);
  const double root = std::sqrt(static_cast<double>(k.cols()));
  const auto read = [&](std::size_t i) {
    double found = 0, kept = 1;
    for (std::size_t j = i + 1; j-- > 0; kept *= loops::logistic(fg(j, 0)))
      found += kept * std::exp(ig(j, 0)) * inner(q.row(i), k.row(j)) / root;
    return loops::times(q.row(i), 1 / std::max(std::abs(found), 1.));
  };
  return loops::by_transitions(
      in,
      {.read = read,
       .write = [&](std::size_t j) { return loops::times(k.row(j), std::exp(ig(j, 0)) / root); },
       .carry = [&](std::size_t t,
                    const Row& x) { return loops::times(x, loops::logistic(fg(t, 0))); }});
}

}  // namespace

extern const Mechanism mlstm_record;
const Mechanism mlstm_record{
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
extern const Reference mlstm_reference;
const Reference mlstm_reference{reference};
}  // namespace attend::mlstm_entry
