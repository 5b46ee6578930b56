// SPDX-License-Identifier: Apache-2.0
// Sigmoid attention with a bias:  a_ij = sigma(e_ij + b), where b begins at -ln n, so that a row begins near a sum of 1
// Ramapuram et al. 2024, arXiv:2409.04431
#include "catalogue/entry.h"

namespace attend::sigmoid_biased_entry {
namespace {

Var build(const AlignmentIn& in) {                         // scores [m n]
  const Var weights = sigmoid(in.scores + in.param("b"));  // [m n]
  return in.mask ? weights * in.mask : weights;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const double odds = std::exp(in.parameter("b")());
  return each_row(in, [&](std::size_t i, Row e) {
    for (std::size_t j = 0; j < e.size(); ++j)
      e[j] = in.allowed(i, j) ? odds / (odds + std::exp(-e[j])) : 0;
    return e;
  });
}

extern const Mechanism record{.id = "sigmoid-biased",
                              .parameters = {{.name = "b",
                                              .shape = "",
                                              .distribution = Distribution::stated,
                                              .start = "0-ln(n)"}},
                              .laws = {.rows_sum_to_one = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::sigmoid_biased_entry
