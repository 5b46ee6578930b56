// SPDX-License-Identifier: Apache-2.0
// Attention as one would write it with Eigen: whole maps of weights, one head after the other.
#include <Eigen/Core>

#include "bench/attention.h"

namespace attend::bench {
namespace {

using Matrix = Eigen::Matrix<real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Input = Eigen::Map<const Matrix>;
using Output = Eigen::Map<Matrix>;

Matrix weights_of(const Input& q, const Input& k, real scale) {
  Matrix weights;
  weights.noalias() = (q * scale) * k.transpose();
  weights.colwise() -= weights.rowwise().maxCoeff().eval();
  weights.array() = weights.array().exp();
  weights.array().colwise() /= weights.rowwise().sum().array().eval();
  return weights;
}

}  // namespace

void eigen_attention(const Numbers& in, bool gradients, Results& out) {
  const auto rows = static_cast<Eigen::Index>(in.rows);
  const auto width = static_cast<Eigen::Index>(in.width);
  const real scale = 1 / std::sqrt(static_cast<real>(in.width));
  for (std::size_t head = 0; head < in.heads; ++head) {
    const std::size_t at = head * in.rows * in.width;
    const Input q(in.q.data() + at, rows, width);
    const Input k(in.k.data() + at, rows, width);
    const Input v(in.v.data() + at, rows, width);
    const Matrix weights = weights_of(q, k, scale);
    Output output(out.output.data() + at, rows, width);
    output.noalias() = weights * v;
    if (!gradients) continue;
    const Input upstream(in.upstream.data() + at, rows, width);
    Matrix slopes;
    slopes.noalias() = upstream * v.transpose();
    slopes.colwise() -= (upstream.array() * output.array()).rowwise().sum().matrix().eval();
    slopes.array() *= weights.array() * scale;
    Output(out.dq.data() + at, rows, width).noalias() = slopes * k;
    Output(out.dk.data() + at, rows, width).noalias() = slopes.transpose() * q;
    Output(out.dv.data() + at, rows, width).noalias() = weights.transpose() * upstream;
  }
}

}  // namespace attend::bench
