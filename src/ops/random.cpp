// SPDX-License-Identifier: Apache-2.0
#include "ops/random.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#ifdef __clang__
#pragma clang fp contract(off)  // a fused multiply-add would change the last bit
#endif

namespace attend {
namespace {

std::uint64_t mix(std::uint64_t x) {  // splitmix64's finaliser
  x = (x ^ (x >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27U)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31U);
}

std::uint64_t hash(std::string_view name) {  // FNV-1a
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return h;
}

struct Product {
  std::uint32_t high, low;
};

Product wide(std::uint32_t a, std::uint32_t b) {
  const std::uint64_t p = static_cast<std::uint64_t>(a) * b;
  return {static_cast<std::uint32_t>(p >> 32U), static_cast<std::uint32_t>(p)};
}

// The key of the next round.
void raise(std::array<std::uint32_t, 2>& key) {
  key[0] += 0x9E3779B9U;
  key[1] += 0xBB67AE85U;
}

// Four blocks beside each other, and so many of these: as long as one waits for its products, the others compute.
using Words = std::uint32_t __attribute__((vector_size(16)));
constexpr std::size_t vectors = 2, blocks_together = 4 * vectors;

struct Products {
  Words high, low;
};

Products wide(std::uint32_t a, Words b) {
  using Wide = std::uint64_t __attribute__((vector_size(32)));
  const Wide p = __builtin_convertvector(b, Wide) * std::uint64_t{a};
  return {__builtin_convertvector(p >> 32U, Words), b * a};
}

// The words of these blocks one after the other, as `philox` gives them.
void draw_blocks(std::uint64_t first, std::array<std::uint32_t, 2> key,
                 std::array<std::uint32_t, 4 * blocks_together>& words) {
  std::array<std::array<Words, 4>, vectors> all{};
  for (std::size_t k = 0; k < blocks_together; ++k) {
    all[k / 4][0][k % 4] = static_cast<std::uint32_t>(first + k);
    all[k / 4][1][k % 4] = static_cast<std::uint32_t>((first + k) >> 32U);
  }
  for (int round = 0; round < 10; ++round) {
    for (auto& one : all) {
      const Products a = wide(0xD2511F53U, one[0]), b = wide(0xCD9E8D57U, one[2]);
      one = {b.high ^ one[1] ^ key[0], b.low, a.high ^ one[3] ^ key[1], a.low};
    }
    raise(key);
  }
  auto* out = words.data();
  for (const auto& one : all) {
    const Words a = __builtin_shufflevector(one[0], one[1], 0, 4, 1, 5),
                b = __builtin_shufflevector(one[2], one[3], 0, 4, 1, 5),
                c = __builtin_shufflevector(one[0], one[1], 2, 6, 3, 7),
                d = __builtin_shufflevector(one[2], one[3], 2, 6, 3, 7);
    for (const Words& block :
         {__builtin_shufflevector(a, b, 0, 1, 4, 5), __builtin_shufflevector(a, b, 2, 3, 6, 7),
          __builtin_shufflevector(c, d, 0, 1, 4, 5), __builtin_shufflevector(c, d, 2, 3, 6, 7)}) {
      std::memcpy(out, &block, sizeof block);
      out += 4;
    }
  }
}

template <std::size_t N>
double polynomial(double x, const std::array<double, N>& coefficients) {  // highest power first
  double value = 0;
  for (const double c : coefficients) value = value * x + c;
  return value;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::string_view name) {
  const std::uint64_t key = mix(mix(seed + 0x9e3779b97f4a7c15ULL) ^ hash(name));
  key_ = {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32U)};
}

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter,
                                    std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const Product a = wide(0xD2511F53U, counter[0]), b = wide(0xCD9E8D57U, counter[2]);
    counter = {b.high ^ counter[1] ^ key[0], b.low, a.high ^ counter[3] ^ key[1], a.low};
    raise(key);
  }
  return counter;
}

std::uint32_t RandomStream::word(std::uint64_t index) const {
  const std::uint64_t block = index / 4;
  return philox({static_cast<std::uint32_t>(block), static_cast<std::uint32_t>(block >> 32U), 0, 0},
                key_)[index % 4];
}

double RandomStream::uniform(std::uint64_t index) const { return (word(index) >> 8U) * 0x1p-24; }

void RandomStream::choose(std::uint64_t first, double limit, real below, real above,
                          std::span<real> out) const {
  // A draw is a whole number times 2^-24, so it is below the limit if that number is below this one.
  const auto bound = static_cast<std::uint32_t>(std::ceil(std::clamp(limit, 0.0, 1.0) * 0x1p24));
  const std::uint64_t last = first + out.size();
  for (std::uint64_t at = first / 4 * 4; at < last; at += 4 * blocks_together) {
    std::array<std::uint32_t, 4 * blocks_together> words;
    draw_blocks(at / 4, key_, words);
    std::array<real, words.size()> chosen;
    for (std::size_t i = 0; i < words.size(); ++i)
      chosen[i] = words[i] >> 8U < bound ? below : above;
    const std::uint64_t begin = std::max(at, first), end = std::min(at + words.size(), last);
    std::copy_n(chosen.data() + static_cast<std::size_t>(begin - at),
                static_cast<std::size_t>(end - begin),
                out.data() + static_cast<std::size_t>(begin - first));
  }
}

double RandomStream::open_uniform(std::uint64_t index) const {
  return (word(index) + 0.5) * 0x1p-32;
}

double RandomStream::coin(std::uint64_t index) const { return word(index) >> 31U; }

std::uint64_t RandomStream::below(std::uint64_t index, std::uint64_t bound) const {
  return static_cast<std::uint64_t>(word(index)) * bound >> 32U;
}

double RandomStream::gumbel(std::uint64_t index) const {
  return -portable_log(-portable_log(open_uniform(index)));
}

double RandomStream::normal(std::uint64_t index) const {
  const double u = open_uniform(index), q = u - 0.5;
  if (std::abs(q) <= 0.425) {
    const double r = 0.180625 - q * q;
    return q *
           polynomial(r, std::array{2.5090809287301226727e3, 3.3430575583588128105e4,
                                    6.7265770927008700853e4, 4.5921953931549871457e4,
                                    1.3731693765509461125e4, 1.9715909503065514427e3,
                                    1.3314166789178437745e2, 3.3871328727963666080e0}) /
           polynomial(r, std::array{5.2264952788528545610e3, 2.8729085735721942674e4,
                                    3.9307895800092710610e4, 2.1213794301586595867e4,
                                    5.3941960214247511077e3, 6.8718700749205790830e2,
                                    4.2313330701600911252e1, 1.0});
  }
  // u is at least 2^-33, so r stays below 4.8: the algorithm's third piece, for r > 5, is never
  // wanted.
  const double r = std::sqrt(-portable_log(q < 0 ? u : 1 - u)) - 1.6;
  const double tail =
      polynomial(r, std::array{7.74545014278341407640e-4, 2.27238449892691845833e-2,
                               2.41780725177450611770e-1, 1.27045825245236838258e0,
                               3.64784832476320460504e0, 5.76949722146069140550e0,
                               4.63033784615654529590e0, 1.42343711074968357734e0}) /
      polynomial(r, std::array{1.05075007164441684324e-9, 5.47593808499534494600e-4,
                               1.51986665636164571966e-2, 1.48103976427480074590e-1,
                               6.89767334985100004550e-1, 1.67638483018380384940e0,
                               2.05319162663775882187e0, 1.0});
  return q < 0 ? -tail : tail;
}

double portable_log(double x) {
  // x = m 2^e with m in [sqrt(1/2), sqrt(2)); log m = 2 artanh((m - 1) / (m + 1)) by its series.
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  int exponent = static_cast<int>(bits >> 52U) - 1023;
  double m = std::bit_cast<double>((bits & 0x000fffffffffffffULL) | 0x3ff0000000000000ULL);
  if (m > 1.4142135623730951) {
    m *= 0.5;
    ++exponent;
  }
  const double t = (m - 1) / (m + 1), square = t * t;
  double series = 0;
  for (int k = 23; k >= 1; k -= 2) series = series * square + 1.0 / k;
  return exponent * 0.69314718055994530942 + 2 * t * series;
}

}  // namespace attend
