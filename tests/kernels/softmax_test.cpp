// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/rows.h"
#include "tests/kernels/sweep.h"

namespace attend::softmax_test {
namespace {

using sweep::wide;

// One row by plain loops; kept(j) says which entries take part.
template <class Kept>
std::vector<wide> expected(const real* x, std::size_t cols, Kept kept) {
  wide most = -sweep::infinity, sum = 0;
  for (std::size_t j = 0; j < cols; ++j) {
    if (kept(j)) most = std::max<wide>(most, x[j]);
  }
  std::vector<wide> e(cols, 0);
  for (std::size_t j = 0; j < cols; ++j) {
    if (kept(j)) sum += e[j] = std::exp(x[j] - most);
  }
  for (wide& v : e) v = sum > 0 ? v / sum : 0;
  return e;
}

enum class Mask { none, shared, own };

TEST_CASE("softmax_rows: every size, misaligned, with and without a mask, in place") {
  constexpr std::size_t rows = 3;
  sweep::Numbers numbers(14);
  for (const Mask kind : {Mask::none, Mask::shared, Mask::own}) {
    for (const double spread : {1.0, 30.0, 2000.0}) {
      sweep::sizes_and_offsets([&](std::size_t cols, std::size_t offset) {
        const auto x = numbers.list(offset + rows * cols, -spread, spread);
        auto mask = numbers.list(offset + rows * cols, 0, 2);
        for (real& v : mask) v = std::floor(v);
        const std::size_t stride = kind == Mask::own ? cols : 0;
        const real* mask_rows = kind == Mask::none ? nullptr : mask.data() + offset;
        sweep::Guarded out(rows * cols, offset + 1), in_place(rows * cols, offset);
        std::copy(x.begin() + static_cast<std::ptrdiff_t>(offset), x.end(), in_place.data());
        kernels::softmax_rows(x.data() + offset, mask_rows, stride, out.data(), rows, cols);
        kernels::softmax_rows(in_place.data(), mask_rows, stride, in_place.data(), rows, cols);
        for (std::size_t i = 0; i < rows; ++i) {
          const auto kept = [&](std::size_t j) {
            return mask_rows == nullptr || mask_rows[i * stride + j] != 0;
          };
          const auto want = expected(x.data() + offset + i * cols, cols, kept);
          for (std::size_t j = 0; j < cols; ++j) {
            const real got = out.data()[i * cols + j];
            // exp carries the rounding of x - max, which grows with the spread.
            CHECK(std::fabs(got - want[j]) <=
                  want[j] * (20 + 4 * spread) * sweep::epsilon + std::numeric_limits<real>::min());
            if (!kept(j)) CHECK(got == 0);
            CHECK(in_place.data()[i * cols + j] == got);
          }
        }
        CHECK(out.intact());
        CHECK(in_place.intact());
      });
    }
  }
}

TEST_CASE("softmax_rows: many rows give the numbers of each alone") {
  sweep::Numbers numbers(15);
  for (const std::size_t cols : {7U, 8U, 9U}) {
    constexpr std::size_t rows = 37;
    CAPTURE(cols);
    auto x = numbers.list(rows * cols, -20, 20);
    std::vector<real> mask(rows * cols, 1);
    for (std::size_t i = 0; i < rows; ++i) mask[i * cols + i % cols] = 0;
    x[17 * cols + 3] = sweep::nan;
    x[22 * cols + 5] = sweep::infinity;
    std::fill_n(&mask[30 * cols], cols, real(0));
    for (const bool masked : {false, true}) {
      std::vector<real> out(rows * cols);
      kernels::softmax_rows(x.data(), masked ? mask.data() : nullptr, cols, out.data(), rows, cols);
      for (std::size_t i = 0; i < rows; ++i) {
        CAPTURE(i);
        std::vector<real> row(cols);
        kernels::softmax_rows(&x[i * cols], masked ? &mask[i * cols] : nullptr, cols, row.data(), 1,
                              cols);
        for (std::size_t j = 0; j < cols; ++j) {
          const real got = out[i * cols + j];
          CHECK((got == row[j] || (std::isnan(got) && std::isnan(row[j]))));
        }
      }
    }
  }
}

std::vector<real> softmax(const std::vector<real>& x, const std::vector<real>& mask = {}) {
  std::vector<real> out(x.size(), real(77));
  kernels::softmax_rows(x.data(), mask.empty() ? nullptr : mask.data(), 0, out.data(), 1, x.size());
  return out;
}

TEST_CASE("softmax_rows: a row with nothing kept is zeros") {
  for (std::size_t cols = 1; cols <= sweep::most_size; ++cols) {
    const std::vector<real> zeros(cols, 0);
    CHECK(softmax(std::vector<real>(cols, 3), zeros) == zeros);
    CHECK(softmax(std::vector<real>(cols, -sweep::infinity)) == zeros);
  }
}

TEST_CASE("softmax_rows: large scores do not overflow, and one score weighs all") {
  for (std::size_t cols = 1; cols <= sweep::most_size; ++cols) {
    const auto even = softmax(std::vector<real>(cols, real(1e30)));
    for (const real w : even) CHECK(sweep::ulps(w, wide(1) / static_cast<wide>(cols)) <= 1);
    std::vector<real> peak(cols, real(-1e30));
    peak[cols - 1] = real(1e30);
    CHECK(softmax(peak).back() == 1);
  }
}

TEST_CASE("softmax_rows: excluded entries are 0 whatever they hold, kept NaN and infinity spread") {
  const real bad[] = {sweep::nan, sweep::infinity, -sweep::infinity, real(1e38)};
  for (std::size_t cols = 2; cols <= sweep::most_size; ++cols) {
    for (const real value : bad) {
      std::vector<real> x(cols, 0), mask(cols, 1);
      x[cols - 1] = value;
      mask[cols - 1] = 0;
      const auto excluded = softmax(x, mask);
      CHECK(excluded.back() == 0);
      CHECK(sweep::ulps(excluded[0], wide(1) / static_cast<wide>(cols - 1)) <= 1);
    }
    for (const real value : {sweep::nan, sweep::infinity}) {
      std::vector<real> x(cols, 0), mask(cols, 1);
      x[cols - 1] = value;
      mask[0] = 0;
      const auto spread = softmax(x, mask);
      CHECK(spread[0] == 0);
      for (std::size_t j = 1; j < cols; ++j) CHECK(std::isnan(spread[j]));
    }
    std::vector<real> low(cols, 1);
    low[0] = -sweep::infinity;
    CHECK(softmax(low)[0] == 0);
  }
}

}  // namespace
}  // namespace attend::softmax_test
