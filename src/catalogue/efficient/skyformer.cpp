// SPDX-License-Identifier: Apache-2.0
// Skyformer: the Gaussian kernel k(q, k) = exp(-|q - k|^2 / 2) of q / p^{1/4}, k / p^{1/4}, not normalised, from s
// landmarks among the rows L of [Q; K]:  C = k(Q, L) (k(L, L) + eps I)^{-1} k(L, K) V;
// the inverse by V <- V (13 I - K V (15 I - K V (7 I - K V))) / 4 after scaling by the row sums D: D^{-1/2} . D^{-1/2}
// Chen et al. 2021, arXiv:2111.00035
#include "catalogue/entry.h"
#include "catalogue/parts/cores/core_parts.h"
#include "catalogue/reason.h"
#include "ops/primitives/matrices.h"

namespace attend::skyformer_entry {
namespace {

Var kernel(Var a, Var b) { return gaussian_kernel(a, b, 1); }

// The inverse of K [.. s s] by iteration, from the identity: K's eigenvalues lie between 0 and 1.
Var iterated(Var K, std::size_t iterations) {
  const Var I = identity(K.graph(), K.extent(-1));
  Var V = broadcast_to(I, K.shape());
  for (std::size_t i = 0; i < iterations; ++i) {
    const Var KV = matmul(K, V);
    V = matmul(V, 13 * I - matmul(KV, 15 * I - matmul(KV, 7 * I - KV))) / 4;
  }
  return V;
}

Weighing build(const CoreIn& in) {
  in.need_same_width();
  const double side = std::pow(static_cast<double>(in.p()), .25);
  const Var q = in.q / side, k = in.k / side;
  const Var given = in.param("landmarks");  // [.. 1 s]
  const Var L = let("L", rows_at(concat(matrices::with_same_leading({q, k}), -2),
                                 squeeze(given, -2)));  // [.. s p]
  const Var ridge = kernel(L, L) + in.scalar("eps") * identity(in.graph(), L.extent(-2));
  const std::size_t iterations = in.integer("iterations");
  Var middle;
  if (iterations == 0) {
    middle = inverse(ridge);
  } else {
    const Var root = sqrt(sum(ridge, -1, true));  // [.. s 1]
    middle = iterated(ridge / root / transpose(root), iterations) / root / transpose(root);
  }
  const Var left = let("\\kappa(Q, L)", kernel(q, L)), right = let("\\kappa(L, K)", kernel(L, k));
  const Var wide = let("\\kappa(L, L)^{-1}", middle);
  // Which landmark gathers a token: that whose kernel with its key is largest.
  in.output(OutputKind{"landmark", TensorRole::output, NumberKind::index}, argmax(right, -2),
            in.family.heads > 0 ? "h n" : "n");
  return {[=](Var v) { return matmul(left, matmul(wide, matmul(right, v))); }, {}, "n", false};
}

// Solves M x = b by elimination with the largest pivot.
Row solved(std::vector<Row> M, Row b) {
  const std::size_t s = b.size();
  for (std::size_t c = 0; c < s; ++c) {
    std::size_t best = c;
    for (std::size_t r = c; r < s; ++r) best = std::abs(M[r][c]) > std::abs(M[best][c]) ? r : best;
    std::swap(M[c], M[best]);
    std::swap(b[c], b[best]);
    for (std::size_t r = 0; r < s; ++r) {
      const double factor = r == c ? 0 : M[r][c] / M[c][c];
      for (std::size_t x = c; x < s && factor != 0; ++x) M[r][x] -= factor * M[c][x];
      b[r] -= factor * b[c];
    }
  }
  for (std::size_t c = 0; c < s; ++c) b[c] /= M[c][c];
  return b;
}

double kernel_of(const Row& a, const Row& b) {
  const double gap = sum_over(a.size(), [&](std::size_t c) { return std::pow(a[c] - b[c], 2); });
  return std::exp(-gap / 2 / std::sqrt(static_cast<double>(a.size())));
}

std::vector<Row> product(const std::vector<Row>& a, const std::vector<Row>& b) {
  std::vector<Row> c(a.size(), Row(b.front().size(), 0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t t = 0; t < b.size(); ++t) {
      for (std::size_t j = 0; j < b[t].size(); ++j) c[i][j] += a[i][t] * b[t][j];
    }
  }
  return c;
}

// d I - X
std::vector<Row> less(double d, std::vector<Row> X) {
  for (std::size_t i = 0; i < X.size(); ++i) {
    for (double& x : X[i]) x = -x;
    X[i][i] += d;
  }
  return X;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  std::vector<Row> L;
  for (const double at : in.parameter("landmarks").data) {
    const auto row = static_cast<std::size_t>(at);
    L.push_back(row < q.rows() ? q.row(row) : k.row(row - q.rows()));
  }
  std::vector<Row> M(L.size(), Row(L.size()));
  Row D(L.size(), 0);
  for (std::size_t i = 0; i < L.size(); ++i) {
    for (std::size_t j = 0; j < L.size(); ++j) {
      M[i][j] = kernel_of(L[i], L[j]) + (i == j ? in.number("eps") : 0);
      D[i] += M[i][j];
    }
  }
  const std::size_t iterations = in.integer("iterations");
  std::vector<Row> scaled = M, V = less(1, std::vector<Row>(L.size(), Row(L.size(), 0)));
  for (std::size_t i = 0; i < L.size(); ++i) {
    for (std::size_t j = 0; j < L.size(); ++j) scaled[i][j] /= std::sqrt(D[i] * D[j]);
  }
  for (std::size_t t = 0; t < iterations; ++t) {
    const std::vector<Row> KV = product(scaled, V);
    V = product(V, less(13, product(KV, less(15, product(KV, less(7, KV))))));
    for (Row& row : V) {
      for (double& x : row) x /= 4;
    }
  }
  return rows_of_weights(in, [&](std::size_t i) {
    Row a(k.rows(), 0);
    for (std::size_t j = 0; j < a.size(); ++j) {
      const Row right = row_by(L.size(), [&](std::size_t l) { return kernel_of(L[l], k.row(j)); });
      Row middle(L.size(), 0);
      if (iterations == 0) middle = solved(M, right);
      for (std::size_t l = 0; l < L.size() && iterations > 0; ++l) {
        for (std::size_t u = 0; u < L.size(); ++u)
          middle[l] += V[l][u] / std::sqrt(D[l] * D[u]) * right[u];
      }
      for (std::size_t l = 0; l < L.size(); ++l) a[j] += kernel_of(q.row(i), L[l]) * middle[l];
    }
    return a;
  });
}

extern const Mechanism record{
    .id = "skyformer",
    .parameters = {{"landmarks", "s", Distribution::permutation, "m+n"}},
    .knobs = {size_knob("count", "s", "ceil(sqrt(m+n))", 1, 128),
              number_knob("eps", .1, 0, 1).at_least(0),
              integer_knob("iterations", 6., 0, 30).at_least(0)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .behaviour = Core{.build = build, .never_causal = "landmarks-of-all"_reason}};
}  // namespace attend::skyformer_entry
