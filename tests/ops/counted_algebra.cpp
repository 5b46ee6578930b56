// SPDX-License-Identifier: Apache-2.0
#include "tests/ops/counted_algebra.h"

#include <cmath>

namespace attend::testing {
namespace {

using In = std::vector<CountedTensor>;
using Out = CountedTensor;

}  // namespace

// Gauss and Jordan, with the largest number of a column as its pivot.
void inverse(In& in, Out& out, const Node& node) {
  const std::size_t n = node.shape.back();
  for (std::size_t start = 0; start < out.size(); start += n * n) {
    std::vector<std::vector<Counted>> rows(n, std::vector<Counted>(2 * n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) rows[i][j] = in[0].at(start + i * n + j);
      rows[i][n + i] = 1;
    }
    for (std::size_t p = 0; p < n; ++p) {
      std::size_t best = p;
      for (std::size_t i = p + 1; i < n; ++i) {
        if (Counted(std::abs(rows[i][p].plain())) > Counted(std::abs(rows[best][p].plain())))
          best = i;
      }
      std::swap(rows[p], rows[best]);
      const Counted pivot = rows[p][p];
      for (std::size_t j = p; j < 2 * n; ++j) rows[p][j] = rows[p][j] / pivot;
      for (std::size_t i = 0; i < n; ++i) {
        if (i == p) continue;
        const Counted factor = -rows[i][p];
        for (std::size_t j = p; j < 2 * n; ++j)
          rows[i][j] = multiply_add(factor, rows[p][j], rows[i][j]);
      }
    }
    for (std::size_t i = 0; i < n * n; ++i) out.at(start + i) = rows[i / n][n + i % n];
  }
}

// A = L D L^T column by column, L with ones on its diagonal and M = L D; then L, D and L^T for each row.
void solve_symmetric(In& in, Out& out, const Node& node) {
  const std::size_t n = node.shape.back(), rows = node.shape.end()[-2];
  for (std::size_t block = 0; block < out.size() / (rows * n); ++block) {
    std::vector<std::vector<Counted>> minus_L(n, std::vector<Counted>(n)), M = minus_L;
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t i = j; i < n; ++i) {
        M[i][j] = in[0].at((block * n + i) * n + j);
        for (std::size_t k = 0; k < j; ++k) M[i][j] = multiply_add(minus_L[i][k], M[j][k], M[i][j]);
        if (i > j) minus_L[i][j] = -(M[i][j] / M[j][j]);
      }
    }
    for (std::size_t r = 0; r < rows; ++r) {
      const std::size_t at = (block * rows + r) * n;
      for (std::size_t i = 0; i < n; ++i) {
        out.at(at + i) = in[1].at(at + i);
        for (std::size_t k = 0; k < i; ++k)
          out.at(at + i) = multiply_add(minus_L[i][k], out.at(at + k), out.at(at + i));
      }
      for (std::size_t i = n; i-- > 0;) {
        out.at(at + i) = out.at(at + i) / M[i][i];
        for (std::size_t k = i + 1; k < n; ++k)
          out.at(at + i) = multiply_add(minus_L[k][i], out.at(at + k), out.at(at + i));
      }
    }
  }
}

}  // namespace attend::testing
