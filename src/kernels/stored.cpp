// SPDX-License-Identifier: Apache-2.0
#include "kernels/stored.h"

#include <algorithm>
#include <cstring>

#include "kernels/rounded_rows.h"
#include "kernels/scratch.h"
#include "kernels/stored_row.h"

namespace attend {

std::size_t width_of(WeightType type) {
  switch (type) {
    case WeightType::f64:
      return 8;
    case WeightType::f32:
      return 4;
    case WeightType::f16:
    case WeightType::bf16:
      return 2;
    case WeightType::i8:
      break;
  }
  return 1;
}

namespace kernels {
namespace {

// So many numbers are unpacked at a time; they stay in the second-level cache.
constexpr std::size_t unpacked_numbers = std::size_t{1} << 17U;

StoredKernels choose_kernels() {
#ifdef ATTEND_AVX2
  if (xsimd::available_architectures().has(xsimd::avx2{})) return stored_kernels_with_avx2();
#endif
  return stored_kernels<xsimd::default_arch>();
}

const StoredKernels& machine_kernels() {
  static const StoredKernels all = choose_kernels();
  return all;
}

// Of numbers that are narrower than a float; else null.
const StoredKernel* kernel_of(WeightType type) {
  const StoredKernels& all = machine_kernels();
  switch (type) {
    case WeightType::f16:
      return &all.half;
    case WeightType::bf16:
      return &all.upper_half;
    case WeightType::i8:
      return &all.byte;
    default:
      return nullptr;
  }
}

template <class Written>
void convert(const std::byte* from, std::size_t count, real* out) {
  for (std::size_t i = 0; i < count; ++i) {
    Written x;
    std::memcpy(&x, from + i * sizeof(Written), sizeof(Written));
    out[i] = static_cast<real>(x);
  }
}

void unpack_without_scale(WeightType type, const std::byte* from, std::size_t count, real* out) {
  if (type == WeightType::f64) return convert<double>(from, count, out);
  if (type == WeightType::f32) return convert<float>(from, count, out);
  const StoredKernel& kernel = *kernel_of(type);
#ifdef ATTEND_DOUBLE
  float part[256];
  for (std::size_t at = 0; at < count; at += std::size(part)) {
    const std::size_t here = std::min(std::size(part), count - at);
    kernel.unpack(from + at * width_of(type), here, part);
    std::copy_n(part, here, out + at);
  }
#else
  kernel.unpack(from, count, out);
#endif
}

// Numbers of one row, from a column on.
void multiply_scale(const StoredMatrix& x, std::size_t row, std::size_t column, std::size_t count,
                    real* out) {
  const real* const scale = x.scale + row * x.row_step + column * x.column_step;
  if (x.column_step == 0) {
    for (std::size_t j = 0; j < count; ++j) out[j] *= *scale;
  } else if (x.column_step == 1) {  // vectors, as the compiler sees the step
    for (std::size_t j = 0; j < count; ++j) out[j] *= scale[j];
  } else {
    for (std::size_t j = 0; j < count; ++j) out[j] *= scale[j * x.column_step];
  }
}

// Columns of all rows, [rows count].
void unpack_columns(const StoredMatrix& x, std::size_t first, std::size_t count, real* out) {
  for (std::size_t i = 0; i < x.rows; ++i) unpack(x, i * x.columns + first, count, out + i * count);
}

void multiply_unpacked(Operand a, const StoredMatrix& b, bool transposed, real* out,
                       std::size_t out_stride, std::size_t m) {
  const std::size_t n = transposed ? b.rows : b.columns, k = transposed ? b.columns : b.rows;
  const std::size_t together =
      std::max<std::size_t>(unpacked_numbers / std::max<std::size_t>(k, 1) / 64 * 64, 64);
  Scratch<real> part(std::min(together, n) * k);
  for (std::size_t j = 0; j < n; j += together) {
    const std::size_t here = std::min(together, n - j);
    if (transposed)
      unpack(b, j * k, here * k, part.data());
    else
      unpack_columns(b, j, here, part.data());
    matmul(a, {part.data(), transposed ? k : here, transposed}, out + j, out_stride, m, here, k);
  }
}

// Beyond so many, sums of products of 127 and 128 would not fit in 32 bits.
constexpr std::size_t most_summed = std::size_t{1} << 17U;

void multiply_rounded(Operand a, const StoredMatrix& b, bool transposed, real* out,
                      std::size_t out_stride, std::size_t m, RoundedRows& kept) {
  const std::size_t n = transposed ? b.rows : b.columns, k = transposed ? b.columns : b.rows;
  const std::size_t inner = transposed ? b.column_step : b.row_step;
  const std::size_t outer = transposed ? b.row_step : b.column_step;
  const bool by_row = b.scale != nullptr && inner != 0, apart = a.transposed || by_row;
  Scratch<real> rows(apart ? m * k : 0);
  for (std::size_t i = 0; apart && i < m; ++i)
    for (std::size_t p = 0; p < k; ++p)
      rows.data()[i * k + p] = a.data[a.transposed ? p * a.stride + i : i * a.stride + p] *
                               (by_row ? b.scale[p * inner] : 1);
  const std::size_t step = (k + byte_depth - 1) / byte_depth * byte_depth;
  const Operand from = apart ? Operand{rows.data(), k, false} : a;
  const bool ready = kept.take(from, m, k, step);
  Scratch<std::int16_t> packed(m == 1 ? 0 : byte_block * step);
  Scratch<std::int32_t> sums(m == 1 ? n : 0);
  machine_kernels().multiply_bytes({reinterpret_cast<const std::int8_t*>(b.first), b.rows,
                                    b.columns, transposed, transposed ? b.row_sums : b.column_sums,
                                    from.data, from.stride, m, out, out_stride, k, n, kept.whole(),
                                    kept.rounded(), ready, packed.data(), sums.data()});
  if (apart) kept.forget();  // other rows will be at the same place
  if (b.scale == nullptr || by_row) return;
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < n; ++j) out[i * out_stride + j] *= b.scale[j * outer];
}

#ifndef ATTEND_DOUBLE
// What multiplies the row's numbers, and what multiplies the sums.
void multiply_row(Operand a, const StoredMatrix& b, bool transposed, const StoredKernel& kernel,
                  real* out) {
  const std::size_t n = transposed ? b.rows : b.columns, k = transposed ? b.columns : b.rows;
  const std::size_t inner = transposed ? b.column_step : b.row_step;
  const std::size_t outer = transposed ? b.row_step : b.column_step;
  const std::size_t step = a.transposed ? a.stride : 1;
  const bool by_row = b.scale != nullptr && inner != 0, apart = step != 1 || by_row;
  Scratch<real> row(apart ? k : 0);
  for (std::size_t p = 0; apart && p < k; ++p)
    row.data()[p] = a.data[p * step] * (by_row ? b.scale[p * inner] : 1);
  const real* const from = apart ? row.data() : a.data;
  const bool bytes = b.type == WeightType::i8;
  Scratch<std::int16_t> whole(bytes ? 2 * fixed_numbers(k) : 0);
  Scratch<std::int32_t> sums(bytes && !transposed ? fixed_sums(std::min(n, fixed_columns)) : 0);
  kernel.multiply({b.first, from, out, b.rows, b.columns, transposed, whole.data(), sums.data()});
  if (b.scale == nullptr || by_row) return;
  for (std::size_t j = 0; j < n; ++j) out[j] *= b.scale[j * outer];
}
#endif

}  // namespace

void unpack(const StoredMatrix& x, std::size_t from, std::size_t count, real* out) {
  unpack_without_scale(x.type, x.first + from * width_of(x.type), count, out);
  if (x.scale == nullptr) return;
  for (std::size_t done = 0; done < count;) {
    const std::size_t row = (from + done) / x.columns, column = (from + done) % x.columns;
    const std::size_t here = std::min(count - done, x.columns - column);
    multiply_scale(x, row, column, here, out + done);
    done += here;
  }
}

void matmul_stored(Operand a, const StoredMatrix& b, bool transposed, real* out,
                   std::size_t out_stride, std::size_t m, RoundedRows& rounded) {
  const std::size_t k = transposed ? b.columns : b.rows;
  if (b.row_sums != nullptr && k > 0 && k <= most_summed)
    return multiply_rounded(a, b, transposed, out, out_stride, m, rounded);
#ifndef ATTEND_DOUBLE
  const StoredKernel* const kernel = kernel_of(b.type);
  if (m == 1 && kernel != nullptr) return multiply_row(a, b, transposed, *kernel, out);
#endif
  multiply_unpacked(a, b, transposed, out, out_stride, m);
}

void matmul_stored(Operand a, const StoredMatrix& b, bool transposed, real* out,
                   std::size_t out_stride, std::size_t m) {
  RoundedRows rounded;
  matmul_stored(a, b, transposed, out, out_stride, m, rounded);
}

}  // namespace kernels
}  // namespace attend
