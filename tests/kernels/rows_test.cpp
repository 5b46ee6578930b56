// SPDX-License-Identifier: Apache-2.0
#include "kernels/rows.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "tests/kernels/sweep.h"

namespace attend::rows_test {
namespace {

using sweep::wide;

// body(x, rows, cols) for 0 to 3 rows of every size, at every misalignment.
template <class Body>
void matrices(Body body) {
  sweep::Numbers numbers(11);
  for (const std::size_t rows : {0u, 1u, 3u}) {
    sweep::sizes_and_offsets([&](std::size_t cols, std::size_t offset) {
      const auto memory = numbers.list(offset + rows * cols, -5, 5);
      body(memory.data() + offset, rows, cols);
    });
  }
}

// How far a sum of `count` numbers may be off.
wide bound(wide magnitude, std::size_t count) {
  return magnitude * static_cast<wide>(count) * sweep::epsilon;
}

TEST_CASE("sum_rows") {
  matrices([](const real* x, std::size_t rows, std::size_t cols) {
    sweep::Guarded out(rows, cols % 3);
    kernels::sum_rows(x, out.data(), rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
      wide sum = 0, magnitude = 0;
      for (std::size_t j = 0; j < cols; ++j) {
        sum += x[i * cols + j];
        magnitude += std::fabs(x[i * cols + j]);
      }
      CHECK(std::fabs(out.data()[i] - sum) <= bound(magnitude, cols));
    }
    CHECK(out.intact());
  });
}

TEST_CASE("sum_rows: a long row, the same wherever it lies") {
  const auto x = sweep::Numbers(12).list(100003, 0, 1);
  real first = 0;
  kernels::sum_rows(x.data(), &first, 1, x.size());
  const wide sum = std::accumulate(x.begin(), x.end(), wide(0));
  CHECK(std::fabs(first - sum) <= sum * 1000 * sweep::epsilon);
  std::vector<real> moved(x.size() + 1);
  std::copy(x.begin(), x.end(), moved.begin() + 1);
  real second = 0;
  kernels::sum_rows(moved.data() + 1, &second, 1, x.size());
  CHECK(first == second);
}

TEST_CASE("max_rows and argmax_rows") {
  matrices([](const real* x, std::size_t rows, std::size_t cols) {
    sweep::Guarded most(rows, cols % 3), where(rows, cols % 2);
    kernels::max_rows(x, most.data(), rows, cols);
    kernels::argmax_rows(x, where.data(), rows, cols);
    for (std::size_t i = 0; i < rows; ++i) {
      const real* row = x + i * cols;
      const real* expected = std::max_element(row, row + cols);
      CHECK(most.data()[i] == (cols == 0 ? -sweep::infinity : *expected));
      CHECK(where.data()[i] == static_cast<real>(cols == 0 ? 0 : expected - row));
    }
    CHECK(most.intact());
    CHECK(where.intact());
  });
}

TEST_CASE("max_rows and argmax_rows: ties, NaN, infinities") {
  for (std::size_t cols = 2; cols <= sweep::most_size; ++cols) {
    for (std::size_t place = 0; place < cols; ++place) {
      CAPTURE(cols);
      CAPTURE(place);
      std::vector<real> x(cols, -sweep::infinity);
      real most = 0, where = 0;
      x[place] = x[cols - 1] = -7;
      kernels::max_rows(x.data(), &most, 1, cols);
      kernels::argmax_rows(x.data(), &where, 1, cols);
      CHECK(most == -7);
      CHECK(where == static_cast<real>(place));
      x[cols - 1] = sweep::infinity;
      x[place] = sweep::nan;
      kernels::max_rows(x.data(), &most, 1, cols);
      kernels::argmax_rows(x.data(), &where, 1, cols);
      CHECK(std::isnan(most));
      CHECK(where == static_cast<real>(place));
    }
  }
}

TEST_CASE("cumsum_rows: both directions, in place too") {
  matrices([](const real* x, std::size_t rows, std::size_t cols) {
    for (const bool reverse : {false, true}) {
      sweep::Guarded out(rows * cols, cols % 3);
      kernels::cumsum_rows(x, out.data(), rows, cols, reverse);
      std::vector<real> in_place(x, x + rows * cols);
      kernels::cumsum_rows(in_place.data(), in_place.data(), rows, cols, reverse);
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t j = 0; j < cols; ++j) {
          wide sum = 0, magnitude = 0;
          for (std::size_t l = reverse ? j : 0; l < (reverse ? cols : j + 1); ++l) {
            sum += x[i * cols + l];
            magnitude += std::fabs(x[i * cols + l]);
          }
          const real got = out.data()[i * cols + j];
          CHECK(std::fabs(got - sum) <= bound(magnitude, cols));
          CHECK(in_place[i * cols + j] == got);
        }
      }
      CHECK(out.intact());
    }
  });
}

TEST_CASE("sum_columns") {
  matrices([](const real* x, std::size_t rows, std::size_t cols) {
    sweep::Guarded out(cols, cols % 3);
    kernels::sum_columns(x, out.data(), rows, cols);
    for (std::size_t j = 0; j < cols; ++j) {
      real sum = 0;
      for (std::size_t i = 0; i < rows; ++i) sum += x[i * cols + j];
      CHECK(out.data()[j] == sum);
    }
    CHECK(out.intact());
  });
}

TEST_CASE("sum_columns: more columns than are summed at once") {
  for (const std::size_t cols : {31u, 32u, 33u, 64u, 71u}) {
    CAPTURE(cols);
    const auto x = sweep::Numbers(14).list(9 * cols, -5, 5);
    sweep::Guarded out(cols, cols % 3);
    kernels::sum_columns(x.data(), out.data(), 9, cols);
    for (std::size_t j = 0; j < cols; ++j) {
      real sum = 0;
      for (std::size_t i = 0; i < 9; ++i) sum += x[i * cols + j];
      CHECK(out.data()[j] == sum);
    }
    CHECK(out.intact());
  }
}

TEST_CASE("argsort_rows: descending, stable, NaN first") {
  sweep::Numbers numbers(13);
  for (std::size_t cols = 0; cols <= sweep::most_size; ++cols) {
    CAPTURE(cols);
    std::vector<real> x(2 * cols);
    for (real& v : x) v = std::floor(numbers.next(0, 4));  // many ties
    if (cols > 2) x[cols / 2] = sweep::nan;
    sweep::Guarded out(2 * cols, 1);
    kernels::argsort_rows(x.data(), out.data(), 2, cols);
    for (std::size_t i = 0; i < 2; ++i) {
      std::vector<bool> seen(cols, false);
      const real* order = out.data() + i * cols;
      for (std::size_t r = 0; r < cols; ++r) {
        const auto here = static_cast<std::size_t>(order[r]);
        REQUIRE(here < cols);
        CHECK(!seen[here]);
        seen[here] = true;
        if (r == 0) continue;
        const real before = x[i * cols + static_cast<std::size_t>(order[r - 1])];
        const real value = x[i * cols + here];
        const bool tie = before == value && order[r - 1] < order[r];
        CHECK((before > value || tie || std::isnan(before)));
      }
    }
    CHECK(out.intact());
  }
}

TEST_CASE("argsort_rows: long rows, which go by digits, are ordered as a stable sort orders them") {
  constexpr real infinite = std::numeric_limits<real>::infinity();
  for (const std::size_t cols : {1024u, 4099u}) {
    CAPTURE(cols);
    std::vector<real> x = sweep::Numbers(15).list(2 * cols, -3, 3);
    for (std::size_t j = 0; j < cols; j += 7) x[j] = std::floor(x[j]);  // ties
    x[5] = x[900] = sweep::nan;
    x[6] = infinite;
    x[7] = -infinite;
    x[8] = real(0);
    x[9] = -real(0);
    x[10] = std::numeric_limits<real>::denorm_min();
    sweep::Guarded out(2 * cols, 1);
    kernels::argsort_rows(x.data(), out.data(), 2, cols);
    for (std::size_t i = 0; i < 2; ++i) {
      const real* const row = x.data() + i * cols;
      std::vector<std::size_t> order(cols);
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(), [row](std::size_t a, std::size_t b) {
        return std::isnan(row[a]) ? !std::isnan(row[b]) : row[a] > row[b];
      });
      std::size_t wrong = 0;
      for (std::size_t j = 0; j < cols; ++j)
        wrong += out.data()[i * cols + j] == static_cast<real>(order[j]) ? 0 : 1;
      CHECK(wrong == 0);
    }
    CHECK(out.intact());
  }
}

}  // namespace
}  // namespace attend::rows_test
