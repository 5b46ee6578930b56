// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/matmul.h"
#include "kernels/scratch.h"
#include "kernels/stored.h"

namespace attend::kernels {

// A row of a is step * whole + least.
struct RoundedRow {
  real step, least;
};

// Rows that are rounded to whole numbers for products with bytes. A batch of products with the same rows, such as those
// of all heads, rounds them once.
class RoundedRows {
 public:
  // Room for `m` rows of `step` whole numbers each; true where it holds these rows of `k` numbers already.
  bool take(Operand a, std::size_t m, std::size_t k, std::size_t step) {
    if (from_ == a.data && stride_ == a.stride && m_ == m && k_ == k) return true;
    (*whole_).resize(m * step);
    (*rounded_).resize(m);
    from_ = a.data;
    stride_ = a.stride;
    m_ = m;
    k_ = k;
    return false;
  }
  // The next product rounds its rows again, even if they are at the same address.
  void forget() { from_ = nullptr; }

  [[nodiscard]] std::int16_t* whole() { return whole_.data(); }
  [[nodiscard]] RoundedRow* rounded() { return rounded_.data(); }

 private:
  Scratch<std::int16_t> whole_{0};
  Scratch<RoundedRow> rounded_{0};
  const real* from_ = nullptr;
  std::size_t stride_ = 0, m_ = 0, k_ = 0;
};

// As `matmul_stored` (kernels/stored.h). `rounded`: of earlier products whose rows have not changed since.
void matmul_stored(Operand a, const StoredMatrix& b, bool transposed, real* out,
                   std::size_t out_stride, std::size_t m, RoundedRows& rounded);

}  // namespace attend::kernels
