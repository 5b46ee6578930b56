// SPDX-License-Identifier: Apache-2.0
// Softmax with a temperature:  a_ij = exp(e_ij / T) / sum_k exp(e_ik / T)
// Hinton, Vinyals, Dean 2015, equation 1, arXiv:1503.02531;
// Galassi, Lippi, Torroni 2021, section IV-C
#include "catalogue/entry.h"
#include "catalogue/parts/alignments/sinks.h"

namespace attend::softmax_temperature_entry {
namespace {

Var build(const AlignmentIn& in) {  // scores [m n]
  const Var temperature = in.scalar("temperature");
  return softmax(below_best(in) / temperature, in.mask);  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, Row e) {
    for (double& score : e) score /= in.number("temperature");
    return soft(e, [&](std::size_t j) { return in.allowed(i, j); });
  });
}

extern const Mechanism record{
    .id = "softmax-temperature",
    .aliases = {"temperature"},
    .knobs = {number_knob("temperature", 1., .01, 100).above(0).log_scale()},
    .coordinate = "global",
    .behaviour = Alignment{build}};
}  // namespace attend::softmax_temperature_entry
