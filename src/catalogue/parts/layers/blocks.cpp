// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/layers/blocks.h"

#include <cmath>

#include "catalogue/parts/heads/projected_heads.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend {

Triple own_rows(const Scope& in, const Tensors& inputs) {
  const Var q = inputs["query"], given_key = inputs.find("key"), given_value = inputs.find("value");
  in.label("m", q);
  in.label("n", given_key ? given_key : q);
  const Var k = given_key ? given_key : q;
  return {q, k, given_value ? given_value : k};
}

Looked attend_scaled(Var q, Var k, Var v, Var mask) {
  const double scale = 1 / std::sqrt(static_cast<double>(q.extent(-1)));
  const Var e = let("E", matmul(q, k, false, true) * scale);     // [.. m n]
  const Var a = let("A", mask ? softmax(e, mask) : softmax(e));  // [.. m n]
  return {e, a, let("C", matmul(a, v))};                         // [.. m dv]
}

Looked attend_by_slots(const Scope& in, Triple rows, Var mask) {
  const double scale = 1 / std::sqrt(static_cast<double>(rows.q.extent(-1)));
  const Var e = let("E", scores_by(in, rows, [&] {
                      return matmul(rows.q, rows.k, false, true) * scale;
                    }));  // [m n]
  const Var a = let("A", weights_by(in, e, rows, mask, [&] {
                      return mask ? softmax(e, mask) : softmax(e);
                    }));  // [m n]
  return {e, a, let("C", matmul(a, rows.v))};
}

Looked attend_in_heads(Triple rows, const HeadMaps& maps, Var mask) {
  const Var q = let("Q", matmul(rows.q, maps.W_Q));  // [h m p]
  const Var k = let("K", matmul(rows.k, maps.W_K));  // [h n p]
  const Var v = let("V", matmul(rows.v, maps.W_V));  // [h n pv]
  Looked heads = attend_scaled(q, k, v, mask);
  heads.context = join_heads(heads.context);  // [m h*pv]
  return heads;
}

Var keys_so_far(Graph& graph, std::size_t m, std::size_t n, std::size_t ahead) {
  const auto last = static_cast<double>(ahead);
  return stated(greater(iota(graph, m, 2) + (last + 1), iota(graph, n)),
                band_intent(HUGE_VAL, last));
}

HeadMaps head_maps(const Scope& in) { return {in.param("W_Q"), in.param("W_K"), in.param("W_V")}; }

Block attention_block(const Scope& in, Var x, Var y) {
  const Looked heads = attend_in_heads({x, y, y}, head_maps(in));
  const auto normed = [&](Var rows, const char* gamma, const char* beta) {
    return layer_norm(rows, in.param(gamma), in.param(beta));
  };
  const Var attended = matmul(heads.context, in.param("W_O"));       // [m d]
  const Var h = let("H", normed(x + attended, "gamma1", "beta1"));   // [m d]
  const Var inner = relu(matmul(h, in.param("W")) + in.param("b"));  // [m d]
  const Var y2 = let("\\operatorname{MAB}", normed(h + inner, "gamma2", "beta2"));
  return {heads.scores, heads.weights, attended, y2};
}

}  // namespace attend
