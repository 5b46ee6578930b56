// SPDX-License-Identifier: Apache-2.0
#include "experiment/draw.h"

#include <array>
#include <cmath>
#include <numeric>

#include "ops/random.h"

namespace attend {

std::string_view distribution_name(Distribution distribution) {
  static constexpr std::array<std::string_view, 9> names{"weight",    "zero",        "one",
                                                         "uniform",   "normal",      "gumbel",
                                                         "bernoulli", "permutation", "distances"};
  return names.at(static_cast<std::size_t>(distribution));
}

bool is_random_data(Distribution distribution) {
  return distribution == Distribution::uniform || distribution == Distribution::gumbel ||
         distribution == Distribution::bernoulli || distribution == Distribution::permutation ||
         distribution == Distribution::distances;
}

namespace {
double one(Distribution distribution, const RandomStream& stream, std::size_t i, double spread) {
  switch (distribution) {
    case Distribution::weight:
      return stream.normal(i) * spread;
    case Distribution::one:
      return 1;
    case Distribution::uniform:
      return stream.uniform(i);
    case Distribution::normal:
      return stream.normal(i);
    case Distribution::gumbel:
      return stream.gumbel(i);
    case Distribution::bernoulli:
      return stream.coin(i);
    default:
      return 0;
  }
}
}  // namespace

std::vector<real> draw(Distribution distribution, const Shape& shape, std::uint64_t seed,
                       const std::string& name) {
  const RandomStream stream(seed, "parameter:" + name);
  std::vector<real> data(element_count(shape));
  if (distribution == Distribution::permutation) {
    std::iota(data.begin(), data.end(), real{0});
    for (std::size_t i = data.size(); i-- > 1;)
      std::swap(data[i], data[static_cast<std::size_t>(stream.below(i, i + 1))]);
    return data;
  }
  if (distribution == Distribution::distances) {
    const std::size_t n = shape.empty() ? 1 : shape.back(),
                      m = shape.size() < 2 ? 1 : shape.end()[-2];
    for (std::size_t i = 0; i < data.size(); ++i) {
      const std::size_t row = i / n % m, column = i % n;
      data[i] = static_cast<real>(row > column ? row - column : column - row);
    }
    return data;
  }
  const std::size_t rows = shape.empty()       ? 1
                           : shape.size() == 1 ? shape[0]
                                               : shape[shape.size() - 2];
  const double spread = 1 / std::sqrt(static_cast<double>(rows));
  for (std::size_t i = 0; i < data.size(); ++i)
    data[i] = static_cast<real>(one(distribution, stream, i, spread));
  return data;
}

}  // namespace attend
