// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/draw.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "ops/random.h"

namespace attend {

std::string_view distribution_name(Distribution distribution) {
  static constexpr std::array<std::string_view, 13> names{
      "weight",  "zero",   "one",    "half",      "stated",      "identity", "unit",
      "uniform", "normal", "gumbel", "bernoulli", "permutation", "distances"};
  return names.at(static_cast<std::size_t>(distribution));
}

Drawn drawn_of(const Leaf& leaf) {
  return {leaf.key, leaf.distribution, leaf.shape, leaf.below, leaf.start};
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

void draw_indices(const Drawn& drawn, const RandomStream& stream, std::span<real> place) {
  const std::size_t width = drawn.shape.empty() ? 1 : drawn.shape.back();
  std::vector<real> all(std::max(width, drawn.below));
  for (std::size_t at = 0; at < place.size(); at += width) {
    shuffle(all, stream, at / width * all.size());
    for (std::size_t i = 0; i < width; ++i)
      place[at + i] = static_cast<real>(static_cast<std::size_t>(all[i]) % drawn.below);
  }
}

void write_distances(const Shape& shape, std::span<real> place) {
  const std::size_t n = shape.empty() ? 1 : shape.back(),
                    m = shape.size() < 2 ? 1 : shape.end()[-2];
  for (std::size_t i = 0; i < place.size(); ++i) {
    const std::size_t row = i / n % m, column = i % n;
    place[i] = static_cast<real>(row > column ? row - column : column - row);
  }
}

void write_identity(const Shape& shape, std::span<real> place) {
  const std::size_t columns = shape.empty() ? 1 : shape.back(),
                    rows = shape.size() < 2 ? 1 : shape.end()[-2];
  for (std::size_t i = 0; i < place.size(); ++i)
    place[i] = i / columns % rows == i % columns ? 1 : 0;
}
}  // namespace

void draw(const Drawn& drawn, const DrawKey& key, std::span<real> place) {
  const Shape& shape = drawn.shape;
  const RandomStream stream(key.seed, stream_name(drawn.distribution, key, drawn.name));
  if (drawn.below != 0) return draw_indices(drawn, stream, place);
  if (drawn.distribution == Distribution::permutation) return shuffle(place, stream, 0);
  if (drawn.distribution == Distribution::stated) {
    std::fill(place.begin(), place.end(), static_cast<real>(drawn.start));
    return;
  }
  if (origin_of(drawn.distribution) == Origin::constant) return write_distances(shape, place);
  if (drawn.distribution == Distribution::identity) return write_identity(shape, place);
  const std::size_t rows = shape.empty()       ? 1
                           : shape.size() == 1 ? shape[0]
                                               : shape[shape.size() - 2];
  const double spread = 1 / std::sqrt(static_cast<double>(rows));
  for (std::size_t i = 0; i < place.size(); ++i)
    place[i] = static_cast<real>(one(drawn.distribution, stream, i, spread));
}

bool starts_at_zero(const Leaf& leaf) {
  return leaf.kind == Leaf::Kind::parameter && leaf.distribution == Distribution::zero &&
         !leaf.is_given() && std::ranges::any_of(leaf.record->axes, [](const NamedAxis& axis) {
           return axis.role == AxisRole::query || axis.role == AxisRole::key;
         });
}

}  // namespace attend
