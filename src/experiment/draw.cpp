// SPDX-License-Identifier: Apache-2.0
#include "experiment/draw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "ops/random.h"

namespace attend {

std::string_view distribution_name(Distribution distribution) {
  static constexpr std::array<std::string_view, 11> names{
      "weight", "zero",   "one",       "half",        "unit",     "uniform",
      "normal", "gumbel", "bernoulli", "permutation", "distances"};
  return names.at(static_cast<std::size_t>(distribution));
}

bool is_random_data(Distribution distribution) {
  return origin_of(distribution) != Origin::initialiser && distribution != Distribution::normal;
}

namespace {
std::string stream_name(Distribution distribution, const DrawKey& key, const std::string& name) {
  std::string text = "parameter:" + name;
  if (origin_of(distribution) == Origin::noise && (key.step != 0 || key.example != 0))
    text += "#" + std::to_string(key.step) + "#" + std::to_string(key.example);
  return text;
}

double one(Distribution distribution, const RandomStream& stream, std::size_t i, double spread) {
  switch (distribution) {
    case Distribution::weight:
      return stream.normal(i) * spread;
    case Distribution::one:
      return 1;
    case Distribution::half:
      return 0.5;
    case Distribution::uniform:
      return stream.uniform(i);
    case Distribution::unit:
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

// 0 .. place.size() - 1 in any order.
template <class Numbers>
void shuffle(Numbers& place, const RandomStream& stream, std::size_t first) {
  std::iota(place.begin(), place.end(), real{0});
  for (std::size_t i = place.size(); i-- > 1;)
    std::swap(place[i], place[static_cast<std::size_t>(stream.below(first + i, i + 1))]);
}
}  // namespace

void draw_indices(std::size_t below, const Shape& shape, const DrawKey& key,
                  const std::string& name, std::span<real> place) {
  const RandomStream stream(key.seed, stream_name(Distribution::permutation, key, name));
  const std::size_t width = shape.empty() ? 1 : shape.back();
  std::vector<real> all(std::max(width, below));
  for (std::size_t at = 0; at < place.size(); at += width) {
    shuffle(all, stream, at / width * all.size());
    for (std::size_t i = 0; i < width; ++i)
      place[at + i] = static_cast<real>(static_cast<std::size_t>(all[i]) % below);
  }
}

void draw(Distribution distribution, const Shape& shape, const DrawKey& key,
          const std::string& name, std::span<real> place) {
  const RandomStream stream(key.seed, stream_name(distribution, key, name));
  if (distribution == Distribution::permutation) {
    shuffle(place, stream, 0);
    return;
  }
  if (origin_of(distribution) == Origin::constant) {
    const std::size_t n = shape.empty() ? 1 : shape.back(),
                      m = shape.size() < 2 ? 1 : shape.end()[-2];
    for (std::size_t i = 0; i < place.size(); ++i) {
      const std::size_t row = i / n % m, column = i % n;
      place[i] = static_cast<real>(row > column ? row - column : column - row);
    }
    return;
  }
  const std::size_t rows = shape.empty()       ? 1
                           : shape.size() == 1 ? shape[0]
                                               : shape[shape.size() - 2];
  const double spread = 1 / std::sqrt(static_cast<double>(rows));
  for (std::size_t i = 0; i < place.size(); ++i)
    place[i] = static_cast<real>(one(distribution, stream, i, spread));
}

}  // namespace attend
