// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/chunk_decays.h"

#include "catalogue/parts/cores/core_parts.h"
#include "ops/decays.h"

namespace attend {

ChunkDecays::ChunkDecays(Graph& graph, Var decay, std::size_t rows)
    : graph_(graph), rows_(rows), decay_(decay) {
  if (!decay) {
    kept_ = greater(iota(graph, rows, 2), iota(graph, rows));
    return;
  }
  before_ = running_product(decay);
  behind_ = running_product(decay, true);
  const auto last = [rows](Var x) { return slice(x, -2, rows - 1, rows); };
  whole_ = last(before_) * last(decay);
  if (decay.extent(-1) != 1) return;
  const Var one = ones(graph, {rows, 1});
  kept_ = decayed_pairs(one, one, decay);
}

Var ChunkDecays::pairs(Var x, Var y, Var own) const {
  const Var all = kept_ ? matmul(x, y, false, true) * kept_ : decayed_pairs(x, y, decay_);
  return own ? all + own * identity(graph_, rows_) : all;
}

Var ChunkDecays::solved(Var x, Var y, Var right) const {
  return solve_triangle(pairs(x, y), right);
}

Var ChunkDecays::sums(Var x, Var y, Var v) const {
  const Var agreed = matmul(x, y, false, true);
  return kept_ ? matmul(agreed * kept_, v) : decayed_sums(agreed, v, decay_);
}

Var ChunkDecays::faded(Var state) const { return whole_ ? transpose(whole_) * state : state; }

}  // namespace attend
