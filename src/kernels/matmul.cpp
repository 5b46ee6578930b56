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
std::vector<Machine> choose_machines([[maybe_unused]] Terms terms) {
#ifdef ATTEND_AVX2
  const auto has = xsimd::available_architectures();
  const bool fused = terms == Terms::fused && has.has(xsimd::fma3<xsimd::avx2>{});
  std::vector<Machine> found;
  if (fused)
    found = {fused_machine_with_avx2(), narrow_fused_machine_with_avx2()};
  else if (has.has(xsimd::avx2{}))
    found = {machine_with_avx2(), narrow_machine_with_avx2()};
  if (has.has(xsimd::avx512f{})) {
    if (fused)
      found.insert(found.end(), {fused_machine_with_avx512(), narrow_fused_machine_with_avx512()});
    else
      found.insert(found.end(), {machine_with_avx512(), narrow_machine_with_avx512()});
  }
  if (!found.empty()) return found;
#endif
  return {machine_with<Tile<xsimd::default_arch>>()};
}

// The one that costs least for so many columns; of one kind of terms, the numbers do not depend on it.
class Machines {
 public:
  explicit Machines(Terms terms) : all_(choose_machines(terms)) {
    for (std::size_t n = 0; n < small_.size(); ++n) small_[n] = &cheapest_for(n);
  }
  // Found once for each small width: a program asks twice a product.
  const Machine& of(std::size_t columns) const {
    return columns < small_.size() ? *small_[columns] : cheapest_for(columns);
  }

 private:
  const Machine& cheapest_for(std::size_t columns) const {
    const auto cost = [columns](const Machine& one) {
      return (columns + one.tile_cols - 1) / one.tile_cols * one.cost;
    };
    return *std::min_element(
        all_.begin(), all_.end(),
        [&](const Machine& one, const Machine& other) { return cost(one) < cost(other); });
  }
  std::vector<Machine> all_;
  std::array<const Machine*, 257> small_{};
};

const Machines& machines(Terms terms) {
  static const Machines apart(Terms::apart), fused(Terms::fused);
  return terms == Terms::fused ? fused : apart;
}

View view(Operand x) {
  return x.transposed ? View{x.data, 1, x.stride} : View{x.data, x.stride, 1};
}

std::size_t round_up(std::size_t n, std::size_t unit) { return (n + unit - 1) / unit * unit; }

// Room for packed blocks, on a cache line. Small ones have a place of their own; of large ones nothing is kept between
// calls.
class Scratch {
 public:
  explicit Scratch(std::size_t size)
      : large_(size <= small ? nullptr
                             : static_cast<real*>(::operator new(size * sizeof(real), line))) {}
  ~Scratch() { ::operator delete(large_, line); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  real* data() const {
    alignas(64) static thread_local real room[small];
    return large_ != nullptr ? large_ : room;
  }

 private:
  static constexpr std::align_val_t line{64};
  static constexpr std::size_t small = 32 * 1024 / sizeof(real);
  real* large_;
};

// How the product is computed; the numbers do not depend on it.
struct Plan {
  Product product;
  bool swapped;  // computes the transpose of the result
  const Machine* machine;
  void (*multiply)(const Product&);
  void (*together)(const Product&, const BatchSteps&) = nullptr;  // all products of a batch
};

// So many numbers of a stay packed as long as the product takes: a megabyte of floats.
constexpr std::size_t most_packed = std::size_t{1} << 18U;

// Of a smaller matrix the tiles find all in the cache.
constexpr std::size_t beyond_cache = std::size_t{1} << 14U;

// Panels of so many columns, for all of `all` columns.
std::size_t panels_size(std::size_t all, std::size_t columns, std::size_t depth) {
  return (all + columns - 1) / columns * (depth * columns + panel_gap);
}

Plan plan(Operand a, Operand b, std::size_t out_stride, std::size_t m, std::size_t n, std::size_t k,
          Terms terms) {
  Product s{};
  s.a = view(a);
  s.b = view(b);
  s.out_row = out_stride;
  s.out_column = 1;
  s.m = m;
  s.n = n;
  s.k = k;
  const Machines& all = machines(terms);
  const Machine &by_n = all.of(n), &by_m = all.of(m);
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
  if (s.m == 1 && s.out_column == 1) {
    const bool large = s.n * s.k >= beyond_cache;
    const bool one_row = !swapped && s.a.column == 1, contiguous = s.b.column == 1;
    if (contiguous && s.n == head_columns && (large || terms == Terms::apart))
      return {s, swapped, &machine, nullptr, machine.multiply_row_by_heads};
    if (contiguous && large) return {s, swapped, &machine, machine.multiply_row};
    if (!contiguous && large && one_row)
      return {s, swapped, &machine, machine.multiply_row_by_dots};
    // A tile would first copy the columns.
    if (!contiguous && (large || terms == Terms::apart))
      return {s, swapped, &machine, machine.multiply_row_by_columns};
  }
  constexpr std::size_t first_level_cache = 32 * 1024 / sizeof(real);
  s.pack_a = s.n >= 4 * machine.tile_cols && s.m * s.k > first_level_cache;
  const std::size_t fewest = s.pack_a ? 2 * machine.packed_rows : 32;
  s.pack_b = s.b.column != 1 || (s.m >= fewest && s.n * s.k > first_level_cache);
  if (s.pack_a && s.pack_b && s.b.column == 1 && s.out_column == 1 && s.m >= machine.packed_rows)
    s.copying = machine.copying;
  s.keeps_copies = s.m > block_rows;
  // All of a is packed once, not once for each block of columns.
  if (s.pack_a && s.m <= block_rows && s.m * s.k <= most_packed)
    s.a_block = panels_size(s.m, machine.packed_rows, std::min(s.k, block_depth));
  const bool small = !s.pack_a && (!s.pack_b || s.b.column != 1) && s.out_column == 1 && s.k > 0 &&
                     s.n % machine.tile_cols == 0 && s.m <= block_rows && s.n <= block_cols &&
                     s.k <= block_depth;
  return {s, swapped, &machine, machine.multiply, small ? machine.multiply_small : nullptr};
}

std::size_t a_scratch_size(const Product& s, const Machine& machine) {
  if (!s.pack_a) return 0;
  if (s.a_block != 0) return (s.k + block_depth - 1) / block_depth * s.a_block;
  return panels_size(std::min(s.m, block_rows), machine.packed_rows, std::min(s.k, block_depth));
}

std::size_t b_scratch_size(const Product& s, const Machine& machine) {
  const std::size_t cols = s.copying != nullptr && !s.keeps_copies ? 2 * machine.tile_cols
                           : s.pack_b                              ? std::min(s.n, block_cols)
                                                                   : s.n % machine.tile_cols;
  return panels_size(cols, machine.tile_cols, std::min(s.k, block_depth));
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
                  std::size_t n, std::size_t k, Terms terms) {
  if (m == 0 || n == 0) return;
  auto [s, swapped, machine, multiply, together] = plan(a, b, out_stride, m, n, k, terms);
  const std::size_t a_size = round_up(a_scratch_size(s, *machine), 64 / sizeof(real));
  const Scratch scratch(a_size + b_scratch_size(s, *machine));
  s.a_scratch = scratch.data();
  s.b_scratch = scratch.data() + a_size;
  if (together != nullptr) {
    s.a.data = swapped ? b.data : a.data;
    s.b.data = swapped ? a.data : b.data;
    s.out = out;
    return together(s, {swapped ? b_step : a_step, swapped ? a_step : b_step, out_step, count});
  }
  for (std::size_t t = 0; t < count; ++t) {
    const real* a_data = a.data + t * a_step;
    const real* b_data = b.data + t * b_step;
    s.a.data = swapped ? b_data : a_data;
    s.b.data = swapped ? a_data : b_data;
    s.out = out + t * out_step;
    s.a_ready = t > 0 && (swapped ? b_step : a_step) == 0;
    if (k == 0) {
      for (std::size_t i = 0; i < m; ++i) std::fill_n(s.out + i * out_stride, n, real(0));
    } else {
      multiply(s);
    }
  }
}

void matmul(Operand a, Operand b, real* out, std::size_t out_stride, std::size_t m, std::size_t n,
            std::size_t k, Terms terms) {
  matmul_batch(a, 0, b, 0, out, out_stride, 0, 1, m, n, k, terms);
}

}  // namespace attend::kernels
