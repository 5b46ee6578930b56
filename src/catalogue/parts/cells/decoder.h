// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "catalogue/parts/cells/cell.h"
#include "catalogue/slots.h"

// A recurrent decoder: a cell that writes one token a step, from the token before and a context.
namespace attend {

// What the decoder sees at a step, and how it came to it. All but the context is empty where it does not attend; the
// scores are empty where a core replaces them, keys and values where they are others at each step.
struct Seen {
  Var weights, context;         // [h? 1 n] [1 dc]
  Var query = {}, scores = {};  // [1 dq] [h? 1 n]
  Var key = {}, value = {};     // [n dk] [n dv], outside of the steps
};

// Given a state [1 dh], what the decoder sees.
using Look = std::function<Seen(Var state)>;

// Records the decoder of a module with the ports memory, target and initial, and the knobs and
// parameters of `decoder_parameters`. `look` is recorded inside the step.
Tensors decode(const Scope& module, const Tensors& inputs,
               const std::function<Look(const Scope& in, Var initial)>& looks);

// E [v e], the first state W_0 [d0 dh] b_0, the first memory of a cell that keeps one W_m [d0 dh] b_m, the readout
// W_r b_r, the classes W_c b_c. The readout of a state s, a context c and the word y before them, by the knob
// `readout`: none: [s; c]; tanh of a map of that; word: y and a map of [s; c], as in Xu et al. 2015; maxout: of a map
// of [s; c; y] the larger of each two neighbours, as in Bahdanau, Cho, Bengio 2015.
inline const List<Parameter> decoder_parameters = {{"E", "v e"},
                                                   {"W_0", "d0 dh"},
                                                   {"b_0", "dh", Distribution::zero},
                                                   {"W_m", "d0 dh"},
                                                   {"b_m", "dh", Distribution::zero},
                                                   {"W_r", "i r"},
                                                   {"b_r", "r", Distribution::zero},
                                                   {"W_c", "o v"},
                                                   {"b_c", "v", Distribution::zero}};

// `first-memory`: what an LSTM remembers before the first step, zeros or tanh of a map of `initial`, as Xu et al. 2015
// make it.
inline const List<Knob> decoder_knobs = {
    size_knob("hidden", "dh", 16., 1, 256),
    size_knob("dim", "e", 16., 1, 256),
    words_knob("vocabulary"),
    choice_knob("feed", "teacher", {"teacher", "greedy"}),
    choice_knob("asks", "before", {"before", "after"}),
    flag_knob("input-feeding", false),
    choice_knob("feeds", "readout", {"readout", "context"}),
    choice_knob("readout", "none", {"none", "tanh", "word", "maxout"}),
    choice_knob("first-memory", "zeros", {"zeros", "map"}).as(Knob::Role::memory),
    integer_knob("steps", 10., 1, 60).at_least(1)};

inline const List<Role> decoder_roles = {
    {"memory", "n d"},
    {.name = "target", .shape = "t dt", .required = false, .words = true},
    {"initial", "1 d0", false}};

}  // namespace attend
