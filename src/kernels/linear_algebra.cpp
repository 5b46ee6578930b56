// SPDX-License-Identifier: Apache-2.0
#include "kernels/linear_algebra.h"

#include <Eigen/Dense>

namespace attend::kernels {

bool inverse(const real* a, real* out, std::size_t n) {
  using Matrix = Eigen::Matrix<real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  if (n == 0) return true;
  const auto size = static_cast<Eigen::Index>(n);
  const Eigen::Map<const Matrix> input(a, size, size);
  if (!input.allFinite()) return false;
  const Eigen::FullPivLU<Matrix> lu(input);
  if (!lu.isInvertible()) return false;
  const Matrix result = lu.inverse();
  if (!result.allFinite()) return false;
  Eigen::Map<Matrix>(out, size, size) = result;
  return true;
}

}  // namespace attend::kernels
