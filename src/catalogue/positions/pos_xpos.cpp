// SPDX-License-Identifier: Apache-2.0
// A rotation whose length falls with the distance: pairs are turned as by pos-rope, and both numbers of pair t are
// multiplied by zeta_t^(i/D) in queries, by zeta_t^(-j/D) in keys,  zeta_t = (2t/r + g) / (1 + g)
// Sun et al. 2022 (xPos), arXiv:2212.10554
#include <complex>

#include "catalogue/entry.h"
#include "catalogue/parts/heads/turned_pairs.h"
#include "ops/primitives/records.h"

namespace attend::pos_xpos_entry {
namespace {

Triple projected(const PositionIn& in, Triple now) {  // q [.. m p]  k [.. n p]
  const std::size_t p = now.q.extent(-1), r = p - p % 2;
  if (p != now.k.extent(-1))
    refuse(
        "it rotates queries and keys by the same angles, so they must be equally wide; they are " +
        std::to_string(p) + " and " + std::to_string(now.k.extent(-1)) + " wide");
  if (r == 0) return now;
  const Var g = in.scalar("g");
  const Var share = iota(in.graph(), r / 2) * (2 / static_cast<double>(r));
  const Var log_zeta = let("\\ln\\zeta", log((share + g) / (1 + g)));  // [r/2]
  const auto turned = [&](const char* name, Var x, Var positions, double sign) {
    const std::size_t rows = element_count(positions.shape());
    const Var place = reshape(positions, {rows});
    const Var waves =
        apply(primitives::sinusoid, {place, in.scalar("base")}, {{static_cast<long>(r)}});
    const Var both = reshape(waves, {rows, r / 2, 2});                               // sine, cosine
    const Var size = exp(expand(place, -1) * log_zeta * sign / in.scalar("decay"));  // [rows r/2]
    const auto wave = [&](std::size_t at) {
      return squeeze(slice(both, -1, at, at + 1), -1) * size;
    };
    return let(name, turned_pairs(x, wave(1), wave(0), in.text("pairs") == "neighbour"));
  };
  now.q = turned("R_i q_i", now.q, in.row_index(), 1);
  now.k = turned("R_j k_j", now.k, in.key_index(), -1);
  return now;
}

}  // namespace

// Pairs as complex numbers.
Arrays reference(const ReferenceIn& in) {
  const Array &q = in["inputs.query"], &k = in["inputs.key"];
  const std::size_t p = q.cols(), pairs = p / 2;
  const bool neighbours = in.text("pairs") == "neighbour";
  const auto first = [&](std::size_t t) { return neighbours ? 2 * t : t; };
  const auto second = [&](std::size_t t) { return neighbours ? 2 * t + 1 : t + pairs; };
  const auto pair = [&](const Array& x, std::size_t i, std::size_t t) {
    return std::complex<double>(x(i, first(t)), x(i, second(t)));
  };
  const auto turn = [&](std::size_t t, double by) {
    const double r = static_cast<double>(2 * pairs), share = 2 * static_cast<double>(t) / r;
    const double zeta = (share + in.number("g")) / (1 + in.number("g"));
    return std::polar(std::pow(zeta, by / in.number("decay")),
                      by * std::pow(in.number("base"), -share));
  };
  const auto turned = [&](const Array& x, bool keys) {
    Array y = x;
    for (std::size_t i = 0; i < x.rows(); ++i) {
      for (std::size_t t = 0; t < pairs; ++t) {
        const std::complex<double> by = turn(t, static_cast<double>(i));
        const std::complex<double> z = pair(x, i, t) * (keys ? 1. / std::conj(by) : by);
        y(i, first(t)) = z.real();
        y(i, second(t)) = z.imag();
      }
    }
    return y;
  };
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.cols(); ++j) {
      const double distance = static_cast<double>(i) - static_cast<double>(j);
      for (std::size_t t = 0; t < pairs; ++t)
        e(i, j) += (pair(q, i, t) * std::conj(pair(k, j, t)) * turn(t, distance)).real();
      if (p % 2 == 1) e(i, j) += q(i, p - 1) * k(j, p - 1);
      e(i, j) /= std::sqrt(static_cast<double>(p));
    }
  }
  return {{"query", turned(q, false)}, {"key", turned(k, true)}, {"scores", e}};
}

extern const Mechanism record{.id = "pos-xpos",
                              .knobs = {number_knob("base", 10000., 1, 1e6).above(0).log_scale(),
                                        choice_knob("pairs", "neighbour", {"half", "neighbour"}),
                                        number_knob("decay", 512., 1, 4096).at_least(1).log_scale(),
                                        number_knob("g", .4, .1, 4).above(0)},
                              .needs_query = true,
                              .laws = {.permutation = false},
                              .behaviour = Position{.projected = projected}};
}  // namespace attend::pos_xpos_entry
