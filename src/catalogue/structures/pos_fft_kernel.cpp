// SPDX-License-Identifier: Apache-2.0
// Kernelised attention with relative positions:
//   C_i = phi(q_i) sum_j e^{b_{j-i}} phi(k_j)^T v_j / phi(q_i) sum_j e^{b_{j-i}} phi(k_j)^T,
//   phi(x)_r = exp(x.w_r - |x|^2/2) / sqrt(M),  q and k of length 1
// Luo et al. 2021, arXiv:2106.12566. The matrix e^{b_{j-i}} is Toeplitz, so
// that its product can go by FFT; the one here is direct.
#include <complex>
#include <numbers>

#include "catalogue/entry.h"
#include "ops/ratio.h"

namespace attend::pos_fft_kernel_entry {
namespace {

Var rows_of_length_one(Var x) { return x / (norm(x, -1, true) + 1e-12); }

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var query = inputs["query"], given_key = inputs.find("key"),
            given_value = inputs.find("value");
  const Var key = given_key ? given_key : query, value = given_value ? given_value : key;
  const std::size_t m = query.extent(0), n = key.extent(0);
  if (m > n) {
    refuse(in.source_of("query"),
           "b has an entry for each of 2n-1 distances, enough for at most n = " +
               std::to_string(n) + " queries; found " + std::to_string(m));
  }
  in.label("m", query);
  in.label("n", key);
  const Scope sized = in.sized();
  const Var omega = sized.param("omega");  // [M p]
  const Var q = let("\\hat{Q}", rows_of_length_one(query)),
            k = let("\\hat{K}", rows_of_length_one(key));
  // Factors that a row of the quotient has above and below cancel: e^{-|q|^2/2}/sqrt(M) of a query,
  // the largest e^b of a row, the largest feature of all keys.
  const Var fq = let("\\varphi(Q)", softmax(matmul(q, omega, false, true)));  // [m M]
  const Var exponent = matmul(k, omega, false, true) - 0.5 * sum(k * k, -1, true);
  const Var peak = max(max(exponent, -1, true), -2, true);
  const Var fk = let("\\varphi(K)", exp(exponent - peak));  // [n M]
  const Var rows = iota(in.graph(), m, 2), columns = iota(in.graph(), n);
  const Var bias = take(sized.param("b"), columns - rows + static_cast<double>(n - 1));  // [m n]
  const Var past = in.flag("causal") ? stated(greater(rows + 1, columns), causal_intent()) : Var{};
  const Var near = past ? softmax(bias, past) : softmax(bias);
  const Var similarity = let("e^{b}", near) * matmul(fq, fk, false, true);  // [m n]
  const Var weights = let("A", ratio(similarity, sum(similarity, -1, true)));
  return {{out::weights, weights, "m n"}, {out::result, let("C", matmul(weights, value)), "m dv"}};
}

using Signal = std::vector<std::complex<double>>;

Signal transformed(const Signal& x, double sign) {  // the discrete Fourier transform, term by term
  Signal y(x.size());
  for (std::size_t f = 0; f < x.size(); ++f) {
    for (std::size_t t = 0; t < x.size(); ++t) {
      const auto turn = static_cast<double>(f * t % x.size()) / static_cast<double>(x.size());
      y[f] += x[t] * std::polar(1.0, sign * 2 * std::numbers::pi * turn);
    }
  }
  return y;
}

// sum_j e^{b_{j-i}} column_j for all i: the Toeplitz matrix as a corner of a circulant one of twice
// the size, which the transform makes diagonal.
Row toeplitz(const Array& b, const Row& column, std::size_t m, bool causal) {
  const std::size_t n = column.size(), size = 2 * n;
  Signal kernel(size), x(size);
  for (std::size_t j = 0; j < n; ++j) x[j] = column[j];
  for (std::size_t t = 0; t < n; ++t) kernel[t] = std::exp(b(n - 1 - t));  // i - j = t
  for (std::size_t t = 1; t < n && !causal; ++t) kernel[size - t] = std::exp(b(n - 1 + t));
  const Signal a = transformed(kernel, -1);
  Signal product = transformed(x, -1);
  for (std::size_t f = 0; f < size; ++f) product[f] *= a[f];
  const Signal y = transformed(product, 1);
  return row_by(m, [&](std::size_t i) { return y[i].real() / static_cast<double>(size); });
}

Array features(const Array& x, const Array& omega) {
  Array phi({x.rows(), omega.rows()});
  for (std::size_t i = 0; i < x.rows(); ++i) {
    const Row row = x.row(i);
    const double length = std::max(std::sqrt(inner(row, row)), 1e-300);
    for (std::size_t r = 0; r < omega.rows(); ++r) {
      phi(i, r) = std::exp(inner(row, omega.row(r)) / length - 0.5) /
                  std::sqrt(static_cast<double>(omega.rows()));
    }
  }
  return phi;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &v = in["value"], &b = in.parameter("b");
  const Array fq = features(in["query"], in.parameter("omega"));
  const Array fk = features(in["key"], in.parameter("omega"));
  Array context({fq.rows(), v.cols()}), below({fq.rows(), 1});
  for (std::size_t r = 0; r < fk.cols(); ++r) {
    for (std::size_t c = 0; c <= v.cols(); ++c) {  // the last column is the denominator's
      const Row column =
          row_by(fk.rows(), [&](std::size_t j) { return fk(j, r) * (c < v.cols() ? v(j, c) : 1); });
      const Row y = toeplitz(b, column, fq.rows(), in.flag("causal"));
      for (std::size_t i = 0; i < y.size(); ++i)
        (c < v.cols() ? context(i, c) : below(i, 0)) += fq(i, r) * y[i];
    }
  }
  for (std::size_t i = 0; i < context.rows(); ++i) {
    for (std::size_t c = 0; c < context.cols(); ++c) context(i, c) /= below(i, 0);
  }
  return {{"context", context}};
}

extern const Mechanism record{
    .id = "pos-fft-kernel",
    .parameters = {{"b", "2n-1"}, {"omega", "M p", Distribution::normal}},
    .knobs = {size_knob("features", "M", 64., 4, 1024).log_scale(), flag_knob("causal", false)},
    .roles = {{"query", "m p"}, {"key", "n p", false, "query"}, {"value", "n dv", false, "key"}},
    .laws = {.permutation = false},
    .coordinates = {{"alignment", "global"}, {"type", "basic"}},
    .behaviour = Structure{build}};
}  // namespace attend::pos_fft_kernel_entry
