// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/heads/relative.h"

#include <cmath>

namespace attend {

SegmentMaps segment_maps(const Scope& in) {
  return {in.param("W_Q"), in.param("W_K"), in.param("W_V"),
          in.param("u"),   in.param("v"),   in.param("W_R")};
}

Looked attend_segment(Var rows, Var memory, const SegmentMaps& maps) {
  Graph& graph = rows.graph();
  const std::size_t m = rows.extent(-2), ahead = memory ? memory.extent(-2) : 0, n = ahead + m;
  const Var all = memory ? let("[M; X]", concat({memory, rows}, -2)) : rows;  // [n d]
  const Var q = let("Q", matmul(rows, maps.W_Q));                             // [m p]
  const Var k = let("K", matmul(all, maps.W_K));                              // [n p]
  const Var v = let("V", matmul(all, maps.W_V));                              // [n pv]
  // A key of a row's future is masked: distances run from 0 to n - 1, the others read distance 0.
  const Var R = let("R W_R", matmul(sinusoid(iota(graph, n), maps.W_R.extent(-2)), maps.W_R));
  const Var gap = iota(graph, m, 2) + static_cast<double>(ahead) - iota(graph, n);  // [m n]
  const Var place = maximum(gap, scalar(gap, 0));
  const Var content = let("(q_i + u) k_j^{\\top}", matmul(q + maps.u, k, false, true));
  const Var by_place =
      let("(q_i + v) R_{i+M-j}^{\\top}", take(matmul(q + maps.v, R, false, true), place));  // [m n]
  const Var e = let("E", (content + by_place) / std::sqrt(static_cast<double>(q.extent(-1))));
  const Var a = let("A", softmax(e, keys_so_far(graph, m, n, ahead)));
  return {e, a, let("C", matmul(a, v))};
}

Var segment_memory(const Scope& in, Var x, Var memory) {  // [m d] [M d]
  in.label("m", x);
  if (!memory) {
    in.label("n", x);
    return memory;
  }
  std::vector<std::string> words = in.tokens_of(memory);
  const std::vector<std::string> own = in.tokens_of(x);
  words.insert(words.end(), own.begin(), own.end());
  if (words.size() == memory.extent(-2) + x.extent(-2)) in.label("n", words);
  return memory;
}

}  // namespace attend
