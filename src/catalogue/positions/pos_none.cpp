// SPDX-License-Identifier: Apache-2.0
// No position: nothing is added and nothing is turned; order shows only where a mask makes rows differ
// Kazemnejad et al. 2023 (NoPE), arXiv:2305.19466
#include "catalogue/entry.h"

namespace attend::pos_none_entry {

// The plain scores: products over the root of the width.
Arrays reference(const ReferenceIn& in) {
  return each_score(in, [&](const Row& q, const Row& k) {
    return inner(q, k) / std::sqrt(static_cast<double>(k.size()));
  });
}

extern const Mechanism record{.id = "pos-none", .aliases = {"nope"}, .behaviour = Position{}};
}  // namespace attend::pos_none_entry
