// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/layers/loops.h"

#include <cmath>

namespace attend {

BlockTables block_by_loops(const ReferenceIn& in, const std::string& prefix, const Array& x,
                           const Array& y) {
  const auto of = [&](const char* name) -> const Array& { return in.parameter(prefix + name); };
  const AttentionTables heads = attended_in_heads(x, y, {of("W_Q"), of("W_K"), of("W_V")});
  const Array h = normed(plus(x, product(heads.context, of("W_O"))), of("gamma1"), of("beta1"));
  const Array inner = activated(affine(h, of("W"), of("b")), "relu");
  return {heads.weights, normed(plus(h, inner), of("gamma2"), of("beta2"))};
}

AttentionTables segment_by_loops(const ReferenceIn& in, const Array& rows, const Array* memory) {
  const std::size_t m = rows.rows(), ahead = memory == nullptr ? 0 : memory->rows();
  const Array all = memory == nullptr ? rows : below(*memory, rows);
  const Array q = product(rows, in.parameter("W_Q")), k = product(all, in.parameter("W_K"));
  const Array &W_R = in.parameter("W_R"), &u = in.parameter("u"), &v = in.parameter("v");
  const std::size_t p = q.cols(), width = W_R.rows();
  AttentionTables out{Array({m, all.rows()}), Array({m, all.rows()}), {}};
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < all.rows(); ++j) {
      // Keys of the future are never used; they read the wave of distance 0.
      const double gap = i + ahead >= j ? static_cast<double>(i + ahead - j) : 0;
      Row wave(width);
      for (std::size_t c = 0; c < width; ++c) {
        const double turn =
            gap * std::pow(10000.0, -static_cast<double>(c - c % 2) / static_cast<double>(width));
        wave[c] = c % 2 == 0 ? std::sin(turn) : std::cos(turn);
      }
      const Row r = mapped(wave, W_R);
      for (std::size_t c = 0; c < p; ++c)
        out.scores(i, j) += ((q(i, c) + u(c)) * k(j, c) + (q(i, c) + v(c)) * r[c]) /
                            std::sqrt(static_cast<double>(p));
    }
    const Row row = soft(out.scores.row(i), [&](std::size_t j) { return j <= i + ahead; });
    for (std::size_t j = 0; j < all.rows(); ++j) out.weights(i, j) = row[j];
  }
  out.context = product(out.weights, product(all, in.parameter("W_V")));
  return out;
}

}  // namespace attend
