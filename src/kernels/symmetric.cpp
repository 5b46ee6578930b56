// SPDX-License-Identifier: Apache-2.0
#include "kernels/linear_algebra.h"
#include "kernels/matmul.h"
#include "kernels/scratch.h"
#include "kernels/symmetric_loops.h"

namespace attend::kernels {
namespace {

SymmetricLoops choose() {
#ifdef ATTEND_AVX2
  if (xsimd::available_architectures().has(xsimd::avx512f{})) return symmetric_with_avx512();
  if (xsimd::available_architectures().has(xsimd::avx2{})) return symmetric_with_avx2();
#endif
  return LanesOfSymmetric<xsimd::default_arch>::all();
}

// One matrix that is not positive, by its inverse.
bool solve_by_inverse(const real* a, const real* b, real* out, std::size_t n, std::size_t rows) {
  Scratch<real> room(n * n);
  real* const whole = room.data();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k <= i; ++k) whole[i * n + k] = whole[k * n + i] = a[i * n + k];
  }
  if (!inverse(whole, whole, n)) return false;
  matmul({b, n, false}, {whole, n, false}, out, n, rows, n, n);
  return true;
}

}  // namespace

bool solve_symmetric(const real* a, const real* b, real* out, std::size_t count, std::size_t n,
                     std::size_t rows) {
  static const SymmetricLoops loops = choose();
  if (n == 0 || rows == 0) return true;
  Scratch<real> room(room_for_symmetric(n));
  for (std::size_t first = 0; first < count; first += loops.lanes) {
    const std::size_t some = std::min(loops.lanes, count - first);
    bool good[widest];
    const real *const matrices = a + first * n * n, *const sides = b + first * rows * n;
    real* const to = out + first * rows * n;
    loops.solve(matrices, sides, to, some, n, rows, room.data(), good);
    for (std::size_t lane = 0; lane < some; ++lane) {
      if (!good[lane] && !solve_by_inverse(matrices + lane * n * n, sides + lane * rows * n,
                                           to + lane * rows * n, n, rows))
        return false;
    }
  }
  return true;
}

}  // namespace attend::kernels
