// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/structures/structure_parts.h"

#include <algorithm>

#include "catalogue/masking.h"
#include "catalogue/preparation.h"

namespace attend {
namespace {

bool is_recurrent(const Choice& choice) {
  if (choice.mechanism->recurrent) return true;
  for (const auto& [name, inner] : choice.slots) {
    if (std::any_of(inner.begin(), inner.end(), is_recurrent)) return true;
  }
  return false;
}

// The scope of a mechanism in a slot of this structure, with the sizes of the rows that it sees.
Scope entered(const Scope& in, const Choice& choice, const Triple& rows) {
  if (is_recurrent(choice)) {
    refuse(choice.path, "\"" + std::string(choice.mechanism->id) +
                            "\" computes one row after another, but \"" +
                            std::string(in.choice.mechanism->id) + "\" computes all rows together");
  }
  Dimensions d;
  if (rows.q) {
    d.set("m", rows.q.extent(-2));
    d.set("dq", rows.q.extent(-1));
  }
  d.set("n", rows.k.extent(-2));
  d.set("dk", rows.k.extent(-1));
  d.set("dv", rows.v.extent(-1));
  return in.assembler.enter(choice, d, in.family);
}

}  // namespace

Var masked_tokens(const Scope& in, Var rows) {
  return Preparation(in.assembler, in.choice).ready({rows, rows, rows}).q;
}

MaskedWeights masked_softmax(const Scope& in, Var rows, Var scores) {
  const std::size_t n = rows.extent(-2);
  const Masking masking(in.assembler, in.choice, {rows, rows, rows});
  Var mask = masking.mask(n);
  if (mask) mask = let("M", mask);
  const Var energies = masking.energies(scores, n, nullptr);
  const Var weights = weights_by(in, energies, {rows, rows, rows}, mask, [&] {
    return mask ? softmax(energies, mask) : softmax(energies);
  });
  return {masking.weights(weights, n, nullptr), mask};
}

Var given_scores(const Scope& in, const Choice& choice, const Triple& rows) {
  const Score& record = std::get<Score>(choice.mechanism->behaviour);
  return within(choice, [&] {
    const Var e = record.build({entered(in, choice, rows), rows.q, rows.k, rows.v});
    // One row for all queries where the score does not read them.
    return broadcast_to(e, {rows.q.extent(-2), rows.k.extent(-2)});
  });
}

Var given_weights(const Scope& in, const Choice& choice, Var scores, const Triple& rows, Var mask) {
  return within(choice, [&] {
    return std::get<Alignment>(choice.mechanism->behaviour)
        .build({entered(in, choice, rows), scores, mask, rows, nullptr, std::nullopt});
  });
}

Var weights_by(const Scope& in, Var scores, const Triple& rows) {
  return weights_by(in, scores, rows, {}, [&] { return softmax(scores); });
}

Var softmax_by_feature(Var scores, Var mask) {
  const Var keys_last = transpose(scores);  // [.. d n]
  return transpose(mask ? softmax(keys_last, expand(mask, -2)) : softmax(keys_last));
}

}  // namespace attend
