// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

// What all multi-head mechanisms share: the projections of queries, keys and values, and the map
// that joins the heads.
namespace attend {

// W_Q [h dq p], W_K [h dk p], W_V [h dv pv], W_O, with biases b_Q, b_K, b_V, b_O if wanted.
inline const List<Parameter> head_parameters = {{"W_Q", "h dq p"},
                                                {"W_K", "h dk p"},
                                                {"W_V", "h dv pv"},
                                                {"W_O", "h*pv dc"},
                                                {"b_Q", "h p", Distribution::zero},
                                                {"b_K", "h p", Distribution::zero},
                                                {"b_V", "h pv", Distribution::zero},
                                                {"b_O", "dc", Distribution::zero}};

// [m dq] [n dk] [n dv] -> [h m p] [h n p] [h n pv]; as many heads of keys and of values as W_K and W_V have
Triple split_heads(const HeadsIn& in, Triple x);
// [h m pv] -> [m h*pv], the heads side by side
Var join_heads(Var heads);
// [h m pv] -> [m dc]
Var merge_heads(const HeadsIn& in, Var heads);
// The same without a bias.
Var merge_without_bias(const HeadsIn& in, Var heads);
// Whether heads are joined by that alone: then they read nothing of the module but its contexts.
inline bool only_joins(const Heads& heads) {
  return heads.merge == merge_heads || heads.merge == merge_without_bias;
}

// The reference's side: scaled dot and softmax inside each head by plain loops, [h m pv], from the
// tensors `rows` of each role.
Array heads_by_loops(const ReferenceIn& in, const Array& q, const Array& k, const Array& v);
// [h m pv] -> [m dc] with W_O (rows from `first` on) and b_O.
Array merged_by_loops(const ReferenceIn& in, const Array& heads, std::size_t first = 0);
// The `context` of self-attention with these heads, by the two above.
Arrays self_attention_by_loops(const ReferenceIn& in);

}  // namespace attend
