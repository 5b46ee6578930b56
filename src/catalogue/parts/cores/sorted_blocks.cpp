// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/sorted_blocks.h"

#include <algorithm>
#include <cmath>

#include "ops/primitives/matrices.h"

namespace attend {
namespace {

// Logarithms with those of their exponentials' sums along one axis taken away.
Var normalised(Var L, long axis) {
  const Var top = detach(max(L, axis, true));
  return L - top - log(sum(exp(L - top), axis, true));
}

void check_blocks(const CoreIn& in, std::size_t rows, const char* what) {
  const std::size_t b = in.integer("blocks");
  if (rows % b == 0) return;
  refuse(in.choice.path + "/blocks", "blocks have equal lengths, but " + std::to_string(b) +
                                         " blocks do not divide " + std::to_string(rows) + " " +
                                         what);
}

}  // namespace

Var blocks_of(Var x, std::size_t count) {
  Shape shape = x.shape();
  shape.end()[-2] = x.extent(-2) / count;
  shape.insert(shape.end() - 2, count);
  return reshape(x, shape);
}

Var sorted_blocks(Var sorter, Var blocks) {
  Shape rows = blocks.shape();
  rows.erase(rows.end() - 1);
  rows.back() = blocks.extent(-2) * blocks.extent(-1);  // a block a row
  const Var sorted = matmul(sorter, reshape(blocks, rows));
  Shape shape = sorted.shape();  // of the sorter's heads, where they share keys
  shape.back() = blocks.extent(-2);
  shape.push_back(blocks.extent(-1));
  return reshape(sorted, shape);
}

Var block_sorter(const CoreIn& in) {
  in.need_same_width();
  check_blocks(in, in.m(), "queries");
  check_blocks(in, in.n(), "keys");
  const std::size_t b = in.integer("blocks");
  const Var sums = concat(
      matrices::with_same_leading({sum(blocks_of(in.q, b), -2), sum(blocks_of(in.k, b), -2)}), -1);
  const Var R = let("R", relu(matmul(sums, in.param("W"))));  // [.. b b]
  Var L = log(R + 1e-6);
  if (const Var noise = in.param_if("gumbel", "gumbel")) L = L + noise;
  L = L / in.scalar("temperature");
  for (std::size_t i = 0; i < in.integer("iterations"); ++i) L = normalised(normalised(L, -1), -2);
  const Var S = let("S", exp(L));
  if (!in.flag("hard")) return S;
  // The nearest order, with the slope of the soft one.
  return let("S_{1}", one_hot(argmax(S, -1), b) + S - detach(S));
}

namespace {
// What to take away from logarithms so that their exponentials sum to 1; low temperatures leave nothing but logarithms.
long double log_of_sum(const std::vector<long double>& logs) {
  const long double top = *std::max_element(logs.begin(), logs.end());
  long double total = 0;
  for (const long double one : logs) total += std::exp(one - top);
  return top + std::log(total);
}
}  // namespace

Array sorter_by_loops(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"], &W = in.parameter("W");
  const std::size_t b = W.cols();
  std::vector<std::vector<long double>> S(b, std::vector<long double>(b, 0));
  for (std::size_t u = 0; u < b; ++u) {
    Row sums(2 * q.cols(), 0);
    for (std::size_t c = 0; c < q.cols(); ++c) {
      for (std::size_t i = u * q.rows() / b; i < (u + 1) * q.rows() / b; ++i) sums[c] += q(i, c);
      for (std::size_t j = u * k.rows() / b; j < (u + 1) * k.rows() / b; ++j)
        sums[q.cols() + c] += k(j, c);
    }
    const Row R = mapped(sums, W);
    for (std::size_t w = 0; w < b; ++w) {
      const double noise = in.parameters.contains("gumbel") ? in.parameter("gumbel")(u, w) : 0;
      S[u][w] = (std::log(std::max(R[w], 0.0) + 1e-6L) + noise) / in.number("temperature");
    }
  }
  for (double t = 0; t < in.number("iterations"); ++t) {
    for (auto& row : S) {
      const long double total = log_of_sum(row);
      for (long double& one : row) one -= total;
    }
    for (std::size_t w = 0; w < b; ++w) {
      std::vector<long double> column;
      for (const auto& row : S) column.push_back(row[w]);
      const long double total = log_of_sum(column);
      for (auto& row : S) row[w] -= total;
    }
  }
  Array sorter({b, b});
  for (std::size_t u = 0; u < b; ++u) {
    const auto best = std::max_element(S[u].begin(), S[u].end()) - S[u].begin();
    for (std::size_t w = 0; w < b; ++w) {
      const bool taken = static_cast<std::size_t>(best) == w;
      sorter(u, w) = in.flag("hard") ? (taken ? 1.0 : 0.0) : static_cast<double>(std::exp(S[u][w]));
    }
  }
  return sorter;
}

}  // namespace attend
