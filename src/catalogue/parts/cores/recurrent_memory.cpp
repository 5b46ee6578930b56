// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/recurrent_memory.h"

#include <algorithm>

#include "catalogue/parts/cores/chunked_memory.h"
#include "catalogue/parts/cores/feature_maps.h"
#include "catalogue/parts/heads/shared_keys.h"
#include "ops/scan.h"

namespace attend {
namespace {

// The row of a step; what is one row for all steps is a constant of the scan.
Var row_of(ScanRecorder& steps, const char* name, Var x, std::size_t n) {
  return x.extent(-2) == n ? steps.row({name, by_step(x)}) : x;
}

// What a step does with row u of those that it writes.
struct Writing {
  Var key, value, find, erase;
};

// S after one row is written; `before` is the memory that is looked up.
Var after_writing(const Writing& row, Var S, Var before) {
  if (!row.find) return S + matmul(row.key, row.value, true, false);
  const Var found = matmul(row.find, before);  // [.. 1 dv]
  if (!row.erase) return S + matmul(row.key, row.value - found, true, false);
  return S - matmul(row.erase, found, true, false) + matmul(row.key, row.value, true, false);
}

// S_t from S_{t-1}.
Var written(ScanRecorder& steps, const Memory& memory, Var S, Var v, std::size_t n) {
  const auto rows = [&](const char* name, Var x) {
    if (!x) return x;
    return steps.row({name, memory.writes == 1 ? by_step(x) : row_blocks(x, memory.writes)});
  };
  const Writing all{.key = rows(memory.names.key, memory.key),
                    .value = rows(memory.names.value, v),
                    .find = rows(memory.names.find, memory.find),
                    .erase = rows(memory.names.erase, memory.erase)};
  Var faded = S;
  if (memory.decay)
    faded = transpose(row_of(steps, "\\alpha_t", memory.decay, n)) * S;  // [.. p dv]
  if (memory.writes == 1) return after_writing(all, faded, memory.finds_before_decay ? S : faded);
  for (std::size_t u = 0; u < memory.writes; ++u) {
    const auto at = [&](Var x) { return x ? row(x, u) : x; };
    const Writing one{at(all.key), at(all.value), at(all.find), at(all.erase)};
    faded = after_writing(one, faded, u == 0 && memory.finds_before_decay ? S : faded);
  }
  return faded;
}

Remembered by_steps(const CoreIn& in, const Memory& memory, Var v, bool keeps_states) {
  const std::size_t n = in.n() / memory.writes;
  ScanRecorder steps(in.graph(), n);
  const Var S = steps.state({"S_{t-1}", zeros(in.graph(), shape_of_memory(memory, v))});
  const Var after = let("S_t", written(steps, memory, S, v, n));
  steps.next(S, after);
  const Var query = steps.row({memory.names.query, by_step(memory.query)});
  steps.output(matmul(query, memory.reads_before ? S : after));  // [.. 1 dv]
  const Scanned done = keeps_states ? steps.finish() : steps.finish_quietly();
  return {by_row(done.outputs[0]), done.last[0],
          keeps_states ? states_by_row(done.states[0]) : Var{}};
}

}  // namespace

Shape memory_shape(const std::vector<Var>& all, std::size_t rows, std::size_t columns) {
  Shape shape = {1, 1};
  for (const Var x : all) {
    if (!x) continue;
    Shape front = x.shape();
    front.end()[-2] = front.back() = 1;
    shape = broadcast_shapes(shape, front);
  }
  shape.end()[-2] = rows;
  shape.back() = columns;
  return shape;
}

Shape shape_of_memory(const Memory& memory, Var v) {
  return memory_shape({memory.query, memory.key, memory.decay, memory.find, memory.erase, v},
                      memory.key.extent(-1), v.extent(-1));
}

Remembered remembered(const CoreIn& in, const Memory& memory, Var v, bool keeps_states,
                      const Finish& finish) {
  if (memory.chunk == 0 || memory.chunk >= in.n() / memory.writes) {
    Remembered all = by_steps(in, memory, v, keeps_states);
    if (finish) all.read = finish({all.read, {}}, [](Var x) { return x; });
    return all;
  }
  Remembered all = remembered_in_chunks(in, memory, v, finish);
  if (keeps_states) all.states = by_steps(in, memory, v, true).states;
  return all;
}

void output_memory(const CoreIn& in, const Remembered& all) {
  in.output(out::state, all.last, in.family.heads > 0 ? "h p dv" : "p dv");
  if (all.states) output_states(in, all.states);
}

Weighing remembering(const CoreIn& in, const Memory& memory, const Change& write,
                     const After& after) {
  // Values are weighed first, and the identity, for the implied map, behind them.
  return {[=, first = true](Var v) mutable {
            const bool keeps = first && states_fit(in, memory.key.extent(-1), v);
            const Var written = write ? write(v) : v;
            const Finish finish = [&](const Read& read, const Here& here) {
              return after(read.values, v, here);
            };
            const Remembered all =
                remembered(in, memory, written, keeps, after ? finish : Finish{});
            if (first) output_memory(in, all);
            first = false;
            return all.read;
          },
          {},
          "n",
          false};
}

Weighing by_fading(const CoreIn& in, Var decay) {
  return remembering(
      in, {.query = scaled_query(in), .key = in.k, .decay = decay, .chunk = in.integer("chunk")});
}

Var tempered_sigmoid(const CoreIn& in, Var x) { return power(sigmoid(x), 1 / in.scalar("tau")); }

void need_tokens(const CoreIn& in) {
  in.need_same_width();
  in.need_same_length("A key is written and a query reads in the same step");
}

Var scaled_query(const CoreIn& in) { return in.q * in.scalar("scale"); }

Var row_gate(const CoreIn& in, const std::string& name, const Change& squash) {
  if (in.text("gates") == "given") return transpose(in.param(name));
  const Var x = matmul(in.whole.k, in.param("w_" + name), false, true);  // [.. n 1]
  return squash(x + in.param("b_" + name));
}

Var decay_of(const CoreIn& in, Var x) {
  return exp(-exp(in.param("A_log")) * activation("softplus", x));
}

Var activated(const CoreIn& in, Var x) {
  const std::string& act = in.text("act");
  return act == "silu" ? x * sigmoid(x) : activation(act, x);
}

Var normalised(const CoreIn& in, Var x) {
  const std::string& how = in.text("normalise");
  const Var y = activated(in, x);
  if (how == "none") return y;
  return how == "sum" ? ratio(y, sum(y, -1, true)) : y / sqrt(sum(y * y, -1, true) + 1e-6);
}

Var write_strength(const CoreIn& in) {
  return let("\\beta", row_gate(in, "beta", [&](Var x) {
               return in.flag("negative") ? 2 * sigmoid(x) : sigmoid(x);
             }));
}

Weighing by_delta_rule(const CoreIn& in, Var decay, Var beta, std::size_t writes) {
  const Var key = let("\\hat{k}", normalised(in, in.k));
  const Var query = let("\\hat{q}", normalised(in, in.q)) * in.scalar("scale");
  return remembering(in,
                     {.query = query,
                      .key = key,
                      .decay = decay,
                      .find = beta * key,
                      .chunk = in.integer("chunk"),
                      .writes = writes,
                      .names = delta_names},
                     [=](Var v) { return beta * v; });
}

Var head_numbers(const CoreIn& in, const std::string& knob,
                 const std::function<double(std::size_t head, std::size_t heads)>& formula) {
  const std::size_t heads = std::max<std::size_t>(in.family.heads, 1);
  Tensor numbers{{heads, 1, 1}, {}};
  const std::vector<double> given = in.has(knob) ? in.matrix(knob).data : std::vector<double>{};
  if (!given.empty() && given.size() != 1 && given.size() != heads) {
    refuse(in.choice.path + "/" + knob, knob + " must be one number, or one for each of " +
                                            std::to_string(heads) + " heads; found " +
                                            std::to_string(given.size()));
  }
  for (std::size_t t = 0; t < heads; ++t) {
    numbers.data.push_back(given.empty()       ? formula(t, heads)
                           : given.size() == 1 ? given[0]
                                               : given[t]);
  }
  if (in.family.heads == 0) numbers.shape = {1, 1};
  const Var all = in.constant(knob, numbers);
  return in.family.heads == 0 ? all : in_groups(all, in.family, 0);
}

}  // namespace attend
