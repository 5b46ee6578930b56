// SPDX-License-Identifier: Apache-2.0
// Relative positions of the Music Transformer:
//   E = (Q K^T + S) scale,  S_ij = q_i . E_r[n-1-(i-j)] for j <= i, else 0
// Huang et al. 2019, section 3.4, arXiv:1809.04281
#include "catalogue/entry.h"

namespace attend::pos_relative_music_entry {
namespace {

Var score(const PositionIn& in, Var scores) {          // scores [m n]
  const Var q = in.inputs.q, table = in.param("E_r");  // [m p] [n p]
  const std::size_t n = table.extent(-2);
  const std::size_t last = in.row_count() + in.inputs.memory;
  if (last > n) {
    refuse("E_r has a row for each distance up to n - 1 = " + std::to_string(n - 1) +
           ", but a query is " + std::to_string(last - 1) + " positions behind the first key");
  }
  // For the kernel: a row of zeros behind the others is that of every later key.
  Shape zeros = table.shape();
  zeros.end()[-2] = 1;
  const Var R = concat({table, fill(in.graph(), zeros, 0)}, -2);  // [n+1 p]
  const Var scaled = in.score_scale * q;
  const Var by_distance = let("Q E_r^{\\top}", matmul(q, table, false, true));  // [m n]
  const Var distance = in.row_index() - in.key_index();                         // [m n]
  const Var past = greater(distance + 1, scalar(distance, 0));                  // j <= i
  const Var index = (static_cast<double>(n) - 1) - distance * past;
  const Var term = in.score_scale * let("S_{rel}", take(by_distance, index) * past);
  return scores + in.relative(term, static_cast<double>(n) - 1, {scaled, R}, {q});
}

}  // namespace

// By the skew: a column of zeros in front, the table read again with rows one shorter, the first
// row dropped. It wants as many queries as keys: zeros stand for the others.
Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &table = in.parameter("E_r");
  const std::size_t n = k.rows();
  Array padded({n, n + 1});
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t r = 0; r < n; ++r) padded(i, r + 1) = inner(q.row(i), table.row(r));
  }
  padded.shape = {n + 1, n};
  return each_score(
      in, [&, i = std::size_t{0}, j = std::size_t{0}](const Row& qi, const Row& kj) mutable {
        const double relative = j <= i ? padded(i + 1, j) : 0;
        j = (j + 1) % n;
        i += j == 0 ? 1 : 0;
        return (inner(qi, kj) + relative) / std::sqrt(static_cast<double>(k.cols()));
      });
}

extern const Mechanism record{.id = "pos-relative-music",
                              .aliases = {"relative-skew"},
                              .parameters = {{"E_r", "n dk"}},
                              .needs_query = true,
                              .needs_product = true,
                              .laws = {.permutation = false},
                              .behaviour = Position{.score = score}};
}  // namespace attend::pos_relative_music_entry
