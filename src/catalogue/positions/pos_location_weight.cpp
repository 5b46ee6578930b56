// SPDX-License-Identifier: Apache-2.0
// Linear distance weights around a target of L tokens:
//   h_j <- w_j h_j,  w_j = 1 - l_j / (n - L + 1),  l_j the distance to the nearest target token
// Fan, Feng, Zhao 2018 (MGAN), D18-1380; Chen et al. 2017 (RAM), section 3.3, D17-1047
#include "catalogue/entry.h"

namespace attend::pos_location_weight_entry {
namespace {

Triple rows(const PositionIn& in, Triple now) {
  const std::size_t n = now.k.extent(-2), start = in.integer("start"),
                    length = in.integer("length");
  const std::size_t first = start + now.memory;
  if (first + length > n) {
    refuse(in.choice.path + "/start", "the target covers tokens " + std::to_string(start) + " to " +
                                          std::to_string(start + length - 1) + ", but there are " +
                                          std::to_string(n - now.memory));
  }
  const Var j = iota(in.graph(), n, 2), zero = scalar(j, 0);  // [n 1]
  const Var before = static_cast<double>(first) - j;
  const Var behind = j - static_cast<double>(first + length - 1);
  const Var distance = let("l", maximum(maximum(before, behind), zero));
  Var w = 1 - distance / static_cast<double>(n - length + 1);
  if (!in.flag("keep")) w = w * greater(distance, zero);
  w = let("w", w);
  in.output(out::position, w, "n 1");
  const bool same = &now.v.node() == &now.k.node();
  now.k = now.k * w;
  now.v = same ? now.k : now.v * w;
  return now;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array k = in["inputs.key"], v = in["inputs.value"];
  const auto start = static_cast<long>(in.number("start"));
  const auto length = static_cast<long>(in.number("length"));
  const auto n = static_cast<long>(k.rows());
  for (long j = 0; j < n; ++j) {
    long nearest = n;
    for (long t = start; t < start + length; ++t) nearest = std::min(nearest, std::abs(j - t));
    double w = 1 - static_cast<double>(nearest) / static_cast<double>(n - length + 1);
    if (nearest == 0) w = in.flag("keep") ? 1 : 0;
    for (std::size_t c = 0; c < k.cols(); ++c) k(j, c) *= w;
    for (std::size_t c = 0; c < v.cols(); ++c) v(j, c) *= w;
  }
  return {{"key", k}, {"value", v}};
}

extern const Mechanism record{
    .id = "pos-location-weight",
    .knobs = {integer_knob("start", 0., 0, 3).at_least(0),
              integer_knob("length", 1., 1, 5).at_least(1), flag_knob("keep", false)},
    .laws = {.permutation = false},
    .behaviour = Position{.rows = rows}};
}  // namespace attend::pos_location_weight_entry
