// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"

namespace attend {

// What the decays of a chunk's rows leave of what was written, [.. B 1] one for all features or [.. B p]. They are
// products of decays, never quotients: a decay may be 0, and where no decay is above 1 nothing overflows.
class ChunkDecays {
 public:
  ChunkDecays(Graph& graph, Var decay, std::size_t rows);  // an empty decay: nothing fades

  // [.. B B]: x_t . y_j with the decays of j+1 .. t-1, for j < t; 0 elsewhere. With `own` [.. B 1] on the diagonal.
  [[nodiscard]] Var pairs(Var x, Var y, Var own = {}) const;
  // u with (1 + pairs(x, y)) u = right.
  [[nodiscard]] Var solved(Var x, Var y, Var right) const;
  // [.. B c]: the sum over j < t of (x_t . y_j) v_j with the decays of j+1 .. t-1, which are those of v's features.
  [[nodiscard]] Var sums(Var x, Var y, Var v) const;
  // x_t with the decays before t, and y_j with those after j: [.. B p].
  [[nodiscard]] Var since_start(Var x) const { return before_ ? x * before_ : x; }
  [[nodiscard]] Var until_end(Var y) const { return behind_ ? y * behind_ : y; }
  // The state [.. p dv] after all decays.
  [[nodiscard]] Var faded(Var state) const;

 private:
  Graph& graph_;
  std::size_t rows_;
  Var decay_, before_, behind_, whole_;
  Var kept_;  // [.. B B] pairs of 1 and 1, where one decay serves all features
};

}  // namespace attend
