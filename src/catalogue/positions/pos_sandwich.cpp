// SPDX-License-Identifier: Apache-2.0
// What sinusoids add where position meets position, weighed by head t of h:
//   e_ij + h / (8 (t+1)) sum_{u < d/2} cos((i - j) base^(-2u/d))
// Chi et al. 2022 (Sandwich), arXiv:2212.10356
#include <complex>

#include "catalogue/entry.h"
#include "catalogue/parts/heads/head_tables.h"
#include "ops/primitives/records.h"

namespace attend::pos_sandwich_entry {
namespace {

Var score(const PositionIn& in, Var scores) {  // scores [.. m n]
  const std::size_t maps = head_count(in), h = maps / maps_of_each_head(in);
  const std::size_t d = in.integer("d"), waves = (d + 1) / 2;
  const std::size_t reach = in.row_count() + in.inputs.k.extent(-2);
  // A wave of each length for every distance. The primitive's exponents are those of an even width.
  const double stretch = 2 * static_cast<double>(waves) / static_cast<double>(d);
  const Var base = in.scalar("base");
  const Var stretched = stretch == 1 ? base : power(base, scalar(base, stretch));
  const Var both = apply(primitives::sinusoid, {iota(in.graph(), reach), stretched},
                         {{static_cast<long>(2 * waves)}});
  const Var cosines = slice(reshape(both, {reach, waves, 2}), -1, 1, 2);  // [reach waves 1]
  const Var by_distance = expand(sum(squeeze(cosines, -1), -1), 0);       // [1 reach]
  std::vector<double> factors(h);
  for (std::size_t t = 0; t < h; ++t)
    factors[t] = static_cast<double>(h) / (8 * static_cast<double>(t + 1));
  const Var factor =
      by_head(in, in.constant("factors", {{maps}, for_each_map(in, factors)}));  // [.. 1 1]
  const auto all = [&](Var i, Var j) { return take(by_distance, absolute(i - j)); };
  const auto table = [&](Var i, Var j) { return factor * all(i, j); };
  const auto bias = [&](Var i, Var j) {
    return factor * let("\\textstyle\\sum_u \\cos", all(i, j));
  };
  return scores + in.by_gap(bias, table);
}

}  // namespace

// As the product of two rows of sinusoids, a pair of numbers being one complex number.
Arrays reference(const ReferenceIn& in) {
  const double d = in.number("d");
  return scores_plus(in, [&](std::size_t i, std::size_t j) {
    double sum = 0;
    for (double u = 0; u < d / 2; ++u) {
      const double speed = std::exp(-2 * u / d * std::log(in.number("base")));
      const auto wave = [&](std::size_t at) {
        return std::polar(1., static_cast<double>(at) * speed);
      };
      sum += (wave(i) * std::conj(wave(j))).real();
    }
    return sum / 8;
  });
}

extern const Mechanism record{.id = "pos-sandwich",
                              .knobs = {integer_knob("d", 128., 2, 512).at_least(1),
                                        number_knob("base", 10000., 1, 1e6).above(0).log_scale()},
                              .laws = {.permutation = false, .heads_alike = false},
                              .behaviour = Position{.score = score}};
}  // namespace attend::pos_sandwich_entry
