// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/slots.h"

// What layers that are made of attention have in common, over the primitives.
namespace attend {

// A map that is no distribution: its rows need not sum to 1, or have other signs.
inline constexpr OutputKind free_weights{"weights", TensorRole::weights};

// The ports query, key (else the query) and value (else the key), their tokens along m and n.
Triple own_rows(const Scope& in, const Tensors& inputs);

// One attention: its scores before masks, its weights, and what it gives.
struct Looked {
  Var scores, weights, context;
};

// softmax(Q K^T / sqrt(p)) V: q [.. m p]  k [.. n p]  v [.. n dv]  mask [m n] of 0 and 1, or empty.
Looked attend_scaled(Var q, Var k, Var v, Var mask = {});

// The same where the document may give the module another score or another alignment: it has the
// slots own_score_slot and own_alignment_slot.
Looked attend_by_slots(const Scope& in, Triple rows, Var mask = {});

// The same in every head: q [m dq] W_Q [h dq p], k [n dk] W_K [h dk p], v [n dv] W_V [h dv pv];
// scores and weights [h m n], the context has the heads side by side, [m h*pv].
struct HeadMaps {
  Var W_Q, W_K, W_V;
};
HeadMaps head_maps(const Scope& in);  // by these names
Looked attend_in_heads(Triple rows, const HeadMaps& maps, Var mask = {});

// 1 where row i may see key j: j <= i + ahead; [m n]. `ahead` keys stand before the first row.
Var keys_so_far(Graph& graph, std::size_t m, std::size_t n, std::size_t ahead = 0);

// The attention block of the Set Transformer, as `set-mab` and what is made of it have it: x [m d]  y [n dk]
//   H = LN(X + heads(X, Y, Y) W_O),  LN(H + relu(H W + b))
struct Block {
  Var scores, weights;   // [h m n]
  Var attended, output;  // [m d]
};
Block attention_block(const Scope& in, Var x, Var y);
// Its parameters, where Y has the width `d` of X, or the width `dk`.
template <bool another_width>
inline constexpr auto mab_parameters =
    std::to_array<Parameter>({{"W_Q", "h d p"},
                              {"W_K", another_width ? "h dk p" : "h d p"},
                              {"W_V", another_width ? "h dk pv" : "h d pv"},
                              {"W_O", "h*pv d"},
                              {"gamma1", "d", Distribution::one},
                              {"beta1", "d", Distribution::zero},
                              {"W", "d d"},
                              {"b", "d", Distribution::zero},
                              {"gamma2", "d", Distribution::one},
                              {"beta2", "d", Distribution::zero}});

}  // namespace attend
