// SPDX-License-Identifier: Apache-2.0
#include "kernels/matmul.h"

#include <algorithm>
#include <memory>
#include <new>
#include <vector>

#include "kernels/matmul_row.h"

namespace attend::kernels {
namespace {

// Kinds of tiles that the machine at hand can take.
std::vector<Machine> choose_machines() {
#ifdef ATTEND_AVX2
  const auto has = xsimd::available_architectures();
  std::vector<Machine> found;
  if (has.has(xsimd::avx2{})) found = {machine_with_avx2(), narrow_machine_with_avx2()};
  if (has.has(xsimd::avx512f{}))
    found.insert(found.end(), {machine_with_avx512(), narrow_machine_with_avx512()});
  if (!found.empty()) return found;
#endif
  return {machine_with<Tile<xsimd::default_arch>>()};
}

// The one that costs least for so many columns; the numbers do not depend on it.
const Machine& cheapest_for(std::size_t columns) {
  static const std::vector<Machine> all = choose_machines();
  const auto cost = [columns](const Machine& one) {
    return (columns + one.tile_cols - 1) / one.tile_cols * one.cost;
  };
  return *std::min_element(all.begin(), all.end(), [&](const Machine& one, const Machine& other) {
    return cost(one) < cost(other);
  });
}

// Found once for each small width: a program asks twice a product.
const Machine& machine_for(std::size_t columns) {
  static const auto small = [] {
    std::array<const Machine*, 257> found{};
    for (std::size_t n = 0; n < found.size(); ++n) found[n] = &cheapest_for(n);
    return found;
  }();
  return columns < small.size() ? *small[columns] : cheapest_for(columns);
}

View view(Operand x) {
  return x.transposed ? View{x.data, 1, x.stride} : View{x.data, x.stride, 1};
}

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

// Room for packed blocks, on a cache line. One per call or batch: nothing is kept between calls.
class Scratch {
 public:
  explicit Scratch(std::size_t size)
      : data_(size == 0 ? nullptr : static_cast<real*>(::operator new(size * sizeof(real), line))) {
  }
  ~Scratch() { ::operator delete(data_, line); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  real* data() const { return data_; }

 private:
  static constexpr std::align_val_t line{64};
  real* data_;
};

// How the product is computed; the numbers do not depend on it.
struct Plan {
  Product product;
  bool swapped;  // computes the transpose of the result
  std::size_t tile_cols;
  void (*multiply)(const Product&);
};

// Of a smaller matrix the tiles find all in the cache.
constexpr std::size_t beyond_cache = std::size_t{1} << 14U;

Plan plan(Operand a, Operand b, std::size_t out_stride, std::size_t m, std::size_t n,
          std::size_t k) {
  Product s{};
  s.a = view(a);
  s.b = view(b);
  s.out_row = out_stride;
  s.out_column = 1;
  s.m = m;
  s.n = n;
  s.k = k;
  const Machine &by_n = machine_for(n), &by_m = machine_for(m);
  // A narrow result would leave most of every tile empty: compute its transpose, b^T a^T.
  const bool swapped = 3 * round_up(m, by_m.tile_cols) * n < 2 * m * round_up(n, by_n.tile_cols);
  const Machine& machine = swapped ? by_m : by_n;
  if (swapped) {
    std::swap(s.a, s.b);
    s.a = {s.a.data, s.a.column, s.a.row};
    s.b = {s.b.data, s.b.column, s.b.row};
    std::swap(s.m, s.n);
    std::swap(s.out_row, s.out_column);
  }
  if (s.m == 1 && s.out_column == 1 && s.n * s.k >= beyond_cache) {
    const bool one_row = !swapped && s.a.column == 1;
    return {s, swapped, machine.tile_cols,
            s.b.column == 1 ? machine.multiply_row
            : one_row       ? machine.multiply_row_by_dots
                            : machine.multiply_row_by_columns};
  }
  constexpr std::size_t first_level_cache = 32 * 1024 / sizeof(real);
  s.pack_b = s.b.column != 1 || (s.m >= 32 && s.n * s.k > first_level_cache);
  s.pack_a = s.n >= 4 * machine.tile_cols && s.m * s.k > first_level_cache;
  return {s, swapped, machine.tile_cols, machine.multiply};
}

std::size_t a_scratch_size(const Product& s) {
  if (!s.pack_a) return 0;
  constexpr std::size_t width = tile_rows<true>;
  return (std::min(s.m, block_rows) + width - 1) / width *
         panel_step<width>(std::min(s.k, block_depth));
}

std::size_t b_scratch_size(const Product& s, std::size_t width) {
  const std::size_t cols = s.pack_b ? std::min(s.n, block_cols) : s.n % width;
  return (cols + width - 1) / width * (std::min(s.k, block_depth) * width + panel_gap);
}

}  // namespace

bool fuses_multiply_add() {
#if defined(__wasm_relaxed_simd__) || defined(__FMA__)
  return true;
#else
  return false;
#endif
}

void matmul_batch(Operand a, std::size_t a_step, Operand b, std::size_t b_step, real* out,
                  std::size_t out_stride, std::size_t out_step, std::size_t count, std::size_t m,
                  std::size_t n, std::size_t k) {
  if (m == 0 || n == 0) return;
  auto [s, swapped, tile_cols, multiply] = plan(a, b, out_stride, m, n, k);
  const std::size_t a_size = round_up(a_scratch_size(s), 64 / sizeof(real));
  const Scratch scratch(a_size + b_scratch_size(s, tile_cols));
  s.a_scratch = scratch.data();
  s.b_scratch = scratch.data() + a_size;
  for (std::size_t t = 0; t < count; ++t) {
    const real* a_data = a.data + t * a_step;
    const real* b_data = b.data + t * b_step;
    s.a.data = swapped ? b_data : a_data;
    s.b.data = swapped ? a_data : b_data;
    s.out = out + t * out_step;
    if (k == 0) {
      for (std::size_t i = 0; i < m; ++i) std::fill_n(s.out + i * out_stride, n, real(0));
    } else {
      multiply(s);
    }
  }
}

void matmul(Operand a, Operand b, real* out, std::size_t out_stride, std::size_t m, std::size_t n,
            std::size_t k) {
  matmul_batch(a, 0, b, 0, out, out_stride, 0, 1, m, n, k);
}

}  // namespace attend::kernels
