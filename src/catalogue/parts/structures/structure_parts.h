// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

// What structures that write out their own formula have in common.
namespace attend {

// A structure's tokens [n d], as the token masks among its mask items leave them.
Var masked_tokens(const Scope& in, Var rows);

// The scores [m n] of keys asked by queries (q may be empty): by the mechanism in the slot `score`,
// or, where the document gives none, the paper's own.
template <class Own>
Var scores_by(const Scope& in, const Triple& rows, Own own);

// The weights of these scores: by the mechanism in the slot `alignment`, or the paper's own.
template <class Own>
Var weights_by(const Scope& in, Var scores, const Triple& rows, Var mask, Own own);

// The same with softmax as the paper's choice.
Var weights_by(const Scope& in, Var scores, const Triple& rows);

// The slots that a structure gets by calling these two.
constexpr Slot own_score_slot{"score", Kind::score, ""};
constexpr Slot own_alignment_slot{"alignment", Kind::alignment, ""};

// The weights of scores [.. n n] of tokens [n d] for one another, under the structure's mask items, and what may be
// attended to [n n], empty where that is everything.
struct MaskedWeights {
  Var weights, mask;
};
MaskedWeights masked_softmax(const Scope& in, Var rows, Var scores);

// The scores and the weights of a mechanism that the document gives for this structure.
Var given_scores(const Scope& in, const Choice& choice, const Triple& rows);
Var given_weights(const Scope& in, const Choice& choice, Var scores, const Triple& rows, Var mask);

// Softmax over the keys for every feature: scores [.. n d], mask [.. n] of 0 and 1, or empty.
Var softmax_by_feature(Var scores, Var mask = {});

template <class Own>
Var scores_by(const Scope& in, const Triple& rows, Own own) {
  const Choice* choice = in.choice.in("score");
  return choice == nullptr ? own() : given_scores(in, *choice, rows);
}

template <class Own>
Var weights_by(const Scope& in, Var scores, const Triple& rows, Var mask, Own own) {
  const Choice* choice = in.choice.in("alignment");
  return choice == nullptr ? own() : given_weights(in, *choice, scores, rows, mask);
}

}  // namespace attend
