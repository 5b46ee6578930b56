// SPDX-License-Identifier: Apache-2.0
// A kernel of the distance, with two learned numbers for each head:
//   log: e_ij - r1 ln(1 + r2 |i - j|),  power: e_ij - r1 |i - j|^r2
// Chi et al. 2022 (KERPLE), arXiv:2205.09921
#include "catalogue/entry.h"
#include "catalogue/parts/heads/head_tables.h"

namespace attend::pos_kerple_entry {
namespace {

// Where training moves a number below zero.
constexpr double smallest = 1e-30;

Var score(const PositionIn& in, Var scores) {                                     // scores [.. m n]
  const Var r1 = of_each_head(in, "r1", ""), given = of_each_head(in, "r2", "");  // [.. 1 1]
  const Var r2 = maximum(given, scalar(given, smallest));
  if (in.text("kernel") == "log") {
    const auto bias = [&](Var i, Var j) { return r1 * log(1 + r2 * absolute(i - j)); };
    return scores - let("r_1 \\ln(1 + r_2|i-j|)", in.by_gap(bias));
  }
  const auto bias = [&](Var i, Var j) {
    const Var distance = absolute(i - j);  // [m n]
    // The token itself has the distance 0, whose power has no slope.
    const Var apart = greater(distance, scalar(distance, 0));
    return r1 * (power(where(apart, distance, scalar(distance, 1)), r2) * apart);
  };
  return scores - let("r_1 |i-j|^{r_2}", in.by_gap(bias));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const double r1 = in.parameter("r1")(), r2 = in.parameter("r2")();
  return scores_plus(in, [&](std::size_t i, std::size_t j) {
    const double distance = std::abs(static_cast<double>(i) - static_cast<double>(j));
    if (in.text("kernel") == "log") return -r1 * std::log1p(r2 * distance);
    return distance == 0 ? 0 : -r1 * std::exp(r2 * std::log(distance));
  });
}

extern const Mechanism record{.id = "pos-kerple",
                              .parameters = {{.name = "r1",
                                              .shape = " | h",
                                              .distribution = Distribution::one,
                                              .values = {.low = 0}},
                                             {.name = "r2",
                                              .shape = " | h",
                                              .distribution = Distribution::one,
                                              .values = {.low = 0, .open = true}}},
                              .knobs = {choice_knob("kernel", "log", {"log", "power"})},
                              .laws = {.permutation = false},
                              .behaviour = Position{.score = score}};
}  // namespace attend::pos_kerple_entry
