// SPDX-License-Identifier: Apache-2.0
// Patterns cut into patches, beside the same pattern as a mask over all pairs.
#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <vector>

#include "fused/hashing.h"
#include "fused/patterns.h"
#include "tests/kernels/sweep.h"

namespace attend::fused_tests::patches_test {
namespace {

using fused::Attention;
using fused::Part;
using Seen = std::function<bool(std::size_t i, std::size_t j)>;

constexpr double tolerance = sizeof(real) == 8 ? 1e-12 : 2e-5;

struct Call {
  Attention a;
  std::vector<real> q, k, v, slope, mask;

  Call(std::size_t heads, std::size_t m, std::size_t n, std::size_t d, std::size_t dv) {
    sweep::Numbers numbers(m * 31 + n);
    q = numbers.list(heads * m * d, -1, 1);
    k = numbers.list(heads * n * d, -1, 1);
    v = numbers.list(heads * n * dv, -1, 1);
    slope = numbers.list(heads * m * dv, -1, 1);
    a.heads = heads;
    a.m = m;
    a.n = n;
    a.d = d;
    a.dv = dv;
    a.scale = real(.7);
    a.q = {q.data(), d, m * d};
    a.k = {k.data(), d, n * d};
    a.v = {v.data(), dv, n * dv};
  }
};

struct Found {
  std::vector<real> out, largest, sum, dq, dk, dv;

  explicit Found(const Attention& a)
      : out(a.heads * a.m * a.dv, 7),
        largest(a.heads * a.m, 7),
        sum(a.heads * a.m, 7),
        dq(a.heads * a.m * a.d, 7),
        dk(a.heads * a.n * a.d, 7),
        dv(a.heads * a.n * a.dv, 7) {}
  fused::Statistics statistics() { return {largest.data(), sum.data()}; }
  fused::Gradients gradients(const Attention& a) {
    return {{dq.data(), a.d, a.m * a.d},
            {dk.data(), a.d, a.n * a.d},
            {dv.data(), a.dv, a.n * a.dv},
            {}};
  }
};

double apart(const std::vector<real>& x, const std::vector<real>& y) {
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double gap = std::abs(static_cast<double>(x[i]) - static_cast<double>(y[i]));
    if (!(gap <= most)) most = gap;
  }
  return most;
}

void check(const fused::Patches& patches, const Seen& seen, std::size_t m, std::size_t n,
           std::size_t heads = 2) {
  Call call(heads, m, n, 5, 6);
  const fused::Place out_place{nullptr, 6, m * 6};
  Found found(call.a);
  const auto at = [&](Found& x) {
    return fused::Place{x.out.data(), out_place.row, out_place.head};
  };
  const auto from = [&](Found& x) {
    return fused::Rows{x.out.data(), out_place.row, out_place.head};
  };
  const fused::Rows slope{call.slope.data(), 6, m * 6};
  fused::attend_patches(call.a, patches, at(found), found.statistics());
  fused::attend_patches_backward(call.a, patches, from(found), found.statistics(), slope,
                                 found.gradients(call.a));

  std::uint64_t pairs = 0;
  call.mask.assign(m * n, 0);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      call.mask[i * n + j] = seen(i, j) ? 1 : 0;
      pairs += seen(i, j) ? 1 : 0;
    }
  }
  Attention masked = call.a;
  masked.mask = {call.mask.data(), n, 0};
  Found expected(call.a);
  fused::attend(masked, at(expected), expected.statistics());
  fused::attend_backward(masked, from(expected), expected.statistics(), slope,
                         expected.gradients(call.a));
  CAPTURE(m);
  CAPTURE(n);
  CHECK(fused::pairs_of(patches) == pairs);
  CHECK(apart(found.out, expected.out) < tolerance);
  CHECK(apart(found.dq, expected.dq) < tolerance);
  CHECK(apart(found.dk, expected.dk) < tolerance);
  CHECK(apart(found.dv, expected.dv) < tolerance);
}

const std::pair<std::size_t, std::size_t> lengths[] = {{1, 1},   {5, 5},   {64, 64},  {67, 67},
                                                       {70, 33}, {33, 70}, {150, 150}};

TEST_CASE("strided patches are the strided pattern") {
  for (const auto& [m, n] : lengths) {
    for (const std::size_t l : {1UL, 2UL, 3UL, 7UL, 16UL, 200UL}) {
      for (const Part part : {Part::both, Part::first, Part::second}) {
        CAPTURE(l);
        CAPTURE(static_cast<int>(part));
        check(
            fused::Strided(m, n, l, part),
            [&](std::size_t i, std::size_t j) {
              return j <= i && ((part != Part::second && i - j <= l) ||
                                (part != Part::first && (i - j) % l == 0));
            },
            m, n);
      }
    }
  }
}

TEST_CASE("fixed patches are the fixed pattern") {
  for (const auto& [m, n] : lengths) {
    for (const std::size_t l : {1UL, 3UL, 8UL, 40UL, 200UL}) {
      for (const std::size_t c : {1UL, 2UL, 50UL}) {
        for (const Part part : {Part::both, Part::first, Part::second}) {
          CAPTURE(l);
          CAPTURE(c);
          CAPTURE(static_cast<int>(part));
          check(
              fused::Fixed(m, n, l, c, part),
              [&](std::size_t i, std::size_t j) {
                return j <= i && ((part != Part::second && i / l == j / l) ||
                                  (part != Part::first && j % l + c >= l));
              },
              m, n);
        }
      }
    }
  }
}

TEST_CASE(
    "patches of blocks are the listed blocks, full, cut by the end, by the order of time, or none") {
  for (const auto& [m, n] : lengths) {
    for (const std::size_t size : {1UL, 4UL, 16UL, 64UL}) {
      const std::size_t rows = (m + size - 1) / size, columns = (n + size - 1) / size;
      std::vector<std::uint32_t> starts{0}, blocks;
      std::vector<char> listed(rows * columns, 0);
      sweep::Numbers numbers(size);
      for (std::size_t b = 0; b < rows; ++b) {
        for (std::size_t c = columns; c-- > 0;) {  // in any order
          const bool near = b > c ? b - c <= 1 : c - b <= 1;
          if (b % 5 == 4 || (!near && numbers.next(0, 1) < real(.7))) continue;
          listed[b * columns + c] = 1;
          blocks.push_back(static_cast<std::uint32_t>(c));
        }
        starts.push_back(static_cast<std::uint32_t>(blocks.size()));
      }
      for (const bool causal : {false, true}) {
        CAPTURE(size);
        CAPTURE(causal);
        check(
            fused::Blocks(m, n, size, causal, starts, blocks),
            [&](std::size_t i, std::size_t j) {
              return listed[i / size * columns + j / size] != 0 && (!causal || j <= i);
            },
            m, n);
      }
    }
  }
}

TEST_CASE("with every block listed any size of block gives softmax attention") {
  for (const std::size_t size : {1UL, 7UL, 64UL, 300UL}) {
    const std::size_t n = 130, rows = (n + size - 1) / size;
    std::vector<std::uint32_t> starts{0}, blocks;
    for (std::size_t b = 0; b < rows; ++b) {
      for (std::uint32_t c = 0; c < rows; ++c) blocks.push_back(c);
      starts.push_back(static_cast<std::uint32_t>(blocks.size()));
    }
    check(
        fused::Blocks(n, n, size, false, starts, blocks),
        [](std::size_t, std::size_t) { return true; }, n, n);
    check(
        fused::Blocks(n, n, size, true, starts, blocks),
        [](std::size_t i, std::size_t j) { return j <= i; }, n, n);
  }
}

TEST_CASE("patterns are linear in the rows, or n times the root of n") {
  const auto strided = [](std::size_t n, std::size_t l, Part part) {
    return fused::pairs_of(fused::Strided(n, n, l, part));
  };
  CHECK(strided(16384, 64, Part::first) <
        2.1 * static_cast<double>(strided(8192, 64, Part::first)));
  CHECK(strided(16384, 128, Part::both) < 16384 * 3 * 128);
  CHECK(fused::pairs_of(fused::Fixed(16384, 16384, 128, 1, Part::both)) < 16384 * 2 * 128);
}

// By plain loops over rounds and pairs.
struct Hashed {
  fused::HashAttention a;
  std::vector<real> q, v, planes, slope;

  Hashed(std::size_t n, std::size_t rounds, std::size_t buckets, std::size_t chunk, bool causal) {
    sweep::Numbers numbers(n + rounds);
    q = numbers.list(2 * n * 5, -2, 2);
    v = numbers.list(2 * n * 3, -1, 1);
    slope = numbers.list(2 * n * 3, -1, 1);
    planes = numbers.list(2 * rounds * 5 * buckets / 2, -1, 1);
    a = {2,
         n,
         5,
         3,
         {q.data(), 5, n * 5},
         {v.data(), 3, n * 3},
         planes.data(),
         rounds * 5 * buckets / 2,
         rounds,
         buckets,
         chunk,
         real(.6),
         causal};
  }

  std::size_t bucket(std::size_t h, std::size_t round, std::size_t i) const {
    std::size_t best = 0;
    double highest = -1e300;
    for (std::size_t b = 0; b < a.buckets; ++b) {
      double at = 0;
      for (std::size_t c = 0; c < 5; ++c)
        at += static_cast<double>(q[(h * a.n + i) * 5 + c]) *
              planes[((h * a.rounds + round) * 5 + c) * (a.buckets / 2) + b % (a.buckets / 2)];
      if (b >= a.buckets / 2) at = -at;
      if (at > highest) best = b;
      highest = std::max(highest, at);
    }
    return best;
  }

  // Context of all rows with these queries.
  std::vector<double> context(const std::vector<double>& x,
                              const std::vector<double>& values) const {
    std::vector<double> out(2 * a.n * 3, 0);
    for (std::size_t h = 0; h < 2; ++h) {
      std::vector<double> above(a.n * 3, 0), below(a.n, 0);
      for (std::size_t round = 0; round < a.rounds; ++round) {
        std::vector<std::size_t> order, own;
        for (std::size_t i = 0; i < a.n; ++i) {
          order.push_back(i);
          own.push_back(bucket(h, round, i));
        }
        std::stable_sort(order.begin(), order.end(),
                         [&](auto i, auto j) { return own[i] < own[j]; });
        std::vector<std::size_t> part(a.n);
        for (std::size_t t = 0; t < a.n; ++t) part[order[t]] = t / a.chunk;
        for (std::size_t i = 0; i < a.n; ++i) {
          bool meets = false;
          for (std::size_t pass = 0; pass < 2; ++pass) {
            for (std::size_t j = 0; j < a.n; ++j) {
              const bool near = own[i] == own[j] && (part[j] == part[i] || part[j] + 1 == part[i]);
              const bool other = near && j != i && (!a.causal || j < i);
              if (pass == 0) meets = meets || other;
              if (pass == 0 || !(meets ? other : j == i)) continue;
              double score = 0, square = 0;
              for (std::size_t c = 0; c < 5; ++c) {
                score += x[(h * a.n + i) * 5 + c] * x[(h * a.n + j) * 5 + c];
                square += x[(h * a.n + j) * 5 + c] * x[(h * a.n + j) * 5 + c];
              }
              const double e = std::exp(static_cast<double>(a.scale) * score / std::sqrt(square));
              below[i] += e;
              for (std::size_t c = 0; c < 3; ++c)
                above[i * 3 + c] += e * values[(h * a.n + j) * 3 + c];
            }
          }
        }
      }
      for (std::size_t i = 0; i < a.n * 3; ++i) out[h * a.n * 3 + i] = above[i] / below[i / 3];
    }
    return out;
  }
};

TEST_CASE("hashing attends within buckets, in chunks of the sorted tokens, over all rounds") {
  for (const std::size_t n : {1UL, 5UL, 40UL, 67UL}) {
    for (const std::size_t chunk : {1UL, 4UL, 16UL, 100UL}) {
      for (const bool causal : {false, true}) {
        Hashed hashed(n, 1 + chunk % 3, chunk == 4 ? 2 : 8, chunk, causal);
        std::vector<real> out(2 * n * 3, 7), largest(2 * n), sum(2 * n), dq(2 * n * 5, 7),
            dv(2 * n * 3, 7);
        fused::attend_by_hashing(hashed.a, {out.data(), 3, n * 3}, {largest.data(), sum.data()});
        const std::vector<double> x(hashed.q.begin(), hashed.q.end()),
            v(hashed.v.begin(), hashed.v.end());
        const std::vector<double> expected = hashed.context(x, v);
        CAPTURE(n);
        CAPTURE(chunk);
        CAPTURE(causal);
        for (std::size_t i = 0; i < out.size(); ++i)
          CHECK(std::abs(out[i] - expected[i]) < tolerance);
        fused::attend_by_hashing_backward(
            hashed.a, {out.data(), 3, n * 3}, {largest.data(), sum.data()},
            {hashed.slope.data(), 3, n * 3}, {dq.data(), 5, n * 5}, {dv.data(), 3, n * 3});
        // Along a direction, against the difference of two contexts.
        sweep::Numbers numbers(3);
        std::vector<double> high = x, low = x, up = v, down = v;
        double along = 0, step = 1e-5;
        for (std::size_t i = 0; i < x.size(); ++i) {
          const double way = numbers.next(-1, 1);
          high[i] += step * way;
          low[i] -= step * way;
          along += way * dq[i];
        }
        for (std::size_t i = 0; i < v.size(); ++i) {
          const double way = numbers.next(-1, 1);
          up[i] += step * way;
          down[i] -= step * way;
          along += way * dv[i];
        }
        const std::vector<double> after = hashed.context(high, up),
                                  before = hashed.context(low, down);
        double found = 0;
        for (std::size_t i = 0; i < after.size(); ++i)
          found += (after[i] - before[i]) / (2 * step) * hashed.slope[i];
        CHECK(along == doctest::Approx(found).epsilon(sizeof(real) == 8 ? 1e-7 : 1e-4));
      }
    }
  }
}

}  // namespace
}  // namespace attend::fused_tests::patches_test
