// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "catalogue/parts/cores/core_parts.h"

// Recurrent cores keep one matrix. Each token lets it fade, takes something off it, writes to it and reads from it:
//   S~ = decay_t S_{t-1},  S_t = S~ - erase_t^T (find_t S~) + key_t^T v_t,  o_t = query_t S_t
namespace attend {

// What the rows of a step are called in formulas.
struct MemoryNames {
  const char *query = "q_t", *key = "k_t", *value = "v_t", *find = "f_t", *erase = "e_t";
};

struct Memory {
  Var query, key;  // [.. n p]
  // [.. n p] a factor for each feature of the key, [.. n 1] or [.. 1 1] one for all. Empty: nothing fades.
  Var decay = {};
  // [.. n p] what is looked up in the memory, and along which features that is taken off. Without `find` nothing is
  // erased; without `erase` it is the key, so that a value replaces what was found.
  Var find = {}, erase = {};
  bool finds_before_decay = false;  // looks up S_{t-1}, not S~
  bool reads_before = false;        // o_t = query_t S_{t-1}
  // So many rows at a time are computed by products of matrices. 0: token by token. The numbers are the same.
  std::size_t chunk = 0;
  // Each query comes with so many rows of key, find, erase and value: its token's memory fades once, then takes these
  // rows one after the other, then is read. Queries and decays are fewer than n by this factor.
  std::size_t writes = 1;
  // In chunks, without `find`: what a query reads comes with what it would read of values of 1.
  bool sums = false;
  MemoryNames names = {};
};
// Those of delta rules, whose queries and keys are brought to length 1.
inline constexpr MemoryNames delta_names{.query = "s\\,\\hat{q}_t",
                                         .key = "\\hat{k}_t",
                                         .value = "\\beta_t v_t",
                                         .find = "\\beta_t \\hat{k}_t"};
inline constexpr Knob chunk_knob = integer_knob("chunk", 32., 1, 256).at_least(1);

// [.. rows columns] in the batch that these have together, of which empty ones count for nothing.
Shape memory_shape(const std::vector<Var>& all, std::size_t rows, std::size_t columns);

// S, [.. p dv].
Shape shape_of_memory(const Memory& memory, Var v);

struct Remembered {
  Var read;    // [.. n dv], what each query reads
  Var last;    // [.. p dv], S after the last row
  Var states;  // [.. n p dv], S after every row; empty unless all are kept
};
// What becomes of the rows that were read, all or those of a chunk: `here` gives such rows of a tensor [.. n d].
using Here = std::function<Var(Var)>;
struct Read {
  Var values, sums;  // [.. rows dv], and [.. rows 1] or empty
};
using Finish = std::function<Var(const Read& read, const Here& here)>;
// In chunks where there are more rows than one holds; the states are always those of the steps.
Remembered remembered(const CoreIn& in, const Memory& memory, Var v, bool keeps_states,
                      const Finish& finish = {});

// The weighing of such a core. It gives the outputs `state` and, while they are few, `states`. `write` is what is
// written for the values, and `after` turns what was read into the context; both are linear in v.
using Change = std::function<Var(Var)>;
using After = std::function<Var(Var read, Var v, const Here& here)>;
Weighing remembering(const CoreIn& in, const Memory& memory, const Change& write = {},
                     const After& after = {});

// The outputs `state` [.. p dv] and `states` [.. n p dv] (may be empty), one for each head.
void output_memory(const CoreIn& in, const Remembered& all);

// A memory that only fades and is written to: S_t = decay_t S_{t-1} + k_t^T v_t, o_t = scale q_t S_t.
Weighing by_fading(const CoreIn& in, Var decay);
// The knob `tau` and the gate sigmoid(x)^(1/tau) of gated linear attention.
inline constexpr Knob gate_temperature_knob = number_knob("tau", 16., 1, 32).above(0).log_scale();
Var tempered_sigmoid(const CoreIn& in, Var x);

// Error unless queries and keys are as wide and as many: a token writes and reads in the same step.
void need_tokens(const CoreIn& in);
// The queries times the knob `scale`.
Var scaled_query(const CoreIn& in);

// A number for each key row, [.. n 1], by the knob `gates`. `given`: the parameter `name` [n]. `token`:
// squash(x w + b), with the whole rows x and the parameters w_`name` [dx] and b_`name` [].
Var row_gate(const CoreIn& in, const std::string& name, const Change& squash);
// exp(-exp(A_log) softplus(x)), the decay of gated delta rules.
Var decay_of(const CoreIn& in, Var x);

// What delta rules have in common: keys and queries brought to length 1 and how strongly a value replaces the old one.
inline constexpr Knob normalise_knob = choice_knob("normalise", "l2", {"l2", "none", "sum"});
inline constexpr Knob delta_act_knob = activation_knob("identity");
Var activated(const CoreIn& in, Var x);   // by the knob `act`
Var normalised(const CoreIn& in, Var x);  // act(x), by the knob `normalise`
// beta [.. n 1]: sigma(x w + b), twice that with the knob `negative`.
Var write_strength(const CoreIn& in);
// The knobs of delta rules with gates.
inline const List<Knob> delta_knobs = {gates_knob,     flag_knob("negative", false),
                                       normalise_knob, delta_act_knob,
                                       chunk_knob,     number_knob("scale", "1/sqrt(p)", .05, 2)};
// The delta rule for such keys: a value replaces the one that is stored under its key. `writes`: keys for each query.
Weighing by_delta_rule(const CoreIn& in, Var decay, Var beta, std::size_t writes = 1);

// A number for each head, [.. 1 1]: from the knob, a list of one for each head or one for all, or by a formula.
constexpr Knob head_numbers_knob(std::string_view name, double minimum, double maximum) {
  Knob knob = matrix_knob(name).optionally();
  knob.minimum = minimum;
  knob.maximum = maximum;
  return knob;
}
Var head_numbers(const CoreIn& in, const std::string& knob,
                 const std::function<double(std::size_t head, std::size_t heads)>& formula);

}  // namespace attend
