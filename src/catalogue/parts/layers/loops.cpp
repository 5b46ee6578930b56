// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/layers/loops.h"

#include <cmath>

namespace attend::loops {

bool everywhere(std::size_t, std::size_t) { return true; }

Array product(const Array& x, const Array& W) {
  Array y({x.rows(), W.cols()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t o = 0; o < W.cols(); ++o) {
      for (std::size_t c = 0; c < x.cols(); ++c) y(i, o) += x(i, c) * W(c, o);
    }
  }
  return y;
}

Array plus(Array x, const Array& y) {
  for (std::size_t i = 0; i < x.data.size(); ++i) x.data[i] += y.data[i % y.data.size()];
  return x;
}

Array each(Array x, const std::string& activation) {
  for (double& number : x.data) number = activate(activation, number);
  return x;
}

Array part_of(const Array& family, std::size_t t) {
  Array one(Shape(family.shape.begin() + 1, family.shape.end()));
  for (std::size_t i = 0; i < one.data.size(); ++i)
    one.data[i] = family.data[t * one.data.size() + i];
  return one;
}

Array standardised(Array x) {
  const auto d = static_cast<double>(x.cols());
  for (std::size_t i = 0; i < x.rows(); ++i) {
    double mean = 0, spread = 0;
    for (std::size_t c = 0; c < x.cols(); ++c) mean += x(i, c) / d;
    for (std::size_t c = 0; c < x.cols(); ++c) spread += std::pow(x(i, c) - mean, 2) / d;
    for (std::size_t c = 0; c < x.cols(); ++c)
      x(i, c) = (x(i, c) - mean) / std::sqrt(spread + 1e-5);
  }
  return x;
}

Array normed(const Array& x, const Array& gamma, const Array& beta) {
  Array y = standardised(x);
  for (std::size_t i = 0; i < y.data.size(); ++i)
    y.data[i] = y.data[i] * gamma.data[i % y.cols()] + beta.data[i % y.cols()];
  return y;
}

Array beside(const Array& x, const Array& y) {
  Array both({x.rows(), x.cols() + y.cols()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t c = 0; c < both.cols(); ++c)
      both(i, c) = c < x.cols() ? x(i, c) : y(i, c - x.cols());
  }
  return both;
}

Array below(const Array& x, const Array& y) {
  Array both({x.rows() + y.rows(), x.cols()});
  for (std::size_t i = 0; i < both.rows(); ++i) {
    for (std::size_t c = 0; c < x.cols(); ++c)
      both(i, c) = i < x.rows() ? x(i, c) : y(i - x.rows(), c);
  }
  return both;
}

Seen seen(const Array& q, const Array& k, const Array& v, double scale, const Allowed& allowed) {
  Seen out{Array({q.rows(), k.rows()}), Array({q.rows(), k.rows()}), {}};
  for (std::size_t i = 0; i < q.rows(); ++i) {
    for (std::size_t j = 0; j < k.rows(); ++j) out.scores(i, j) = inner(q.row(i), k.row(j)) * scale;
    const Row row = soft(out.scores.row(i), [&](std::size_t j) { return allowed(i, j); });
    for (std::size_t j = 0; j < k.rows(); ++j) out.weights(i, j) = row[j];
  }
  out.context = weighted(out.weights, v);
  return out;
}

Seen seen_in_heads(const Array& q, const Array& k, const HeadTables& maps, const Allowed& allowed) {
  const std::size_t heads = maps.W_Q.shape[0], m = q.rows(), n = k.rows();
  const double scale = 1 / std::sqrt(static_cast<double>(maps.W_Q.cols()));
  Seen out{Array({heads, m, n}), Array({heads, m, n}), Array({m, 0})};
  for (std::size_t t = 0; t < heads; ++t) {
    const Seen one = seen(product(q, part_of(maps.W_Q, t)), product(k, part_of(maps.W_K, t)),
                          product(k, part_of(maps.W_V, t)), scale, allowed);
    for (std::size_t i = 0; i < m * n; ++i) {
      out.scores.data[t * m * n + i] = one.scores.data[i];
      out.weights.data[t * m * n + i] = one.weights.data[i];
    }
    out.context = beside(out.context, one.context);
  }
  return out;
}

BlockSeen block_by_loops(const ReferenceIn& in, const std::string& prefix, const Array& x,
                         const Array& y) {
  const auto of = [&](const char* name) -> const Array& { return in.parameter(prefix + name); };
  const Seen heads = seen_in_heads(x, y, {of("W_Q"), of("W_K"), of("W_V")});
  const Array h = normed(plus(x, product(heads.context, of("W_O"))), of("gamma1"), of("beta1"));
  const Array inner = each(plus(product(h, of("W")), of("b")), "relu");
  return {heads.weights, normed(plus(h, inner), of("gamma2"), of("beta2"))};
}

Seen segment_by_loops(const ReferenceIn& in, const Array& rows, const Array* memory) {
  const std::size_t m = rows.rows(), ahead = memory == nullptr ? 0 : memory->rows();
  const Array all = memory == nullptr ? rows : below(*memory, rows);
  const Array q = product(rows, in.parameter("W_Q")), k = product(all, in.parameter("W_K"));
  const Array &W_R = in.parameter("W_R"), &u = in.parameter("u"), &v = in.parameter("v");
  const std::size_t p = q.cols(), width = W_R.rows();
  Seen out{Array({m, all.rows()}), Array({m, all.rows()}), {}};
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
  out.context = weighted(out.weights, product(all, in.parameter("W_V")));
  return out;
}

}  // namespace attend::loops
