// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/layers/vector_attention.h"

namespace attend {

Var vector_scores(const Scope& in, Var x) {
  const Var c = in.scalar("c");
  const Var own = matmul(x, in.param("W1"));                     // [.. n d]
  const Var other = matmul(x, in.param("W2")) + in.param("b1");  // [.. n d]
  const Var pairs = pair_rows(own) + pair_columns(other);        // [.. n n d]
  return let("E", c * tanh(pairs / c));
}

Var vector_context(Var a, Var x) { return let("S", sum(a * pair_columns(x), -2)); }

Fused fuse_with(const Scope& in, Var x, Var s) {
  const Var seen = matmul(s, in.param("W_s")), own = matmul(x, in.param("W_h"));
  const Var gate = let("F", sigmoid(seen + own + in.param("b_f")));
  return {gate, gate * x + (1 - gate) * s};
}

}  // namespace attend
