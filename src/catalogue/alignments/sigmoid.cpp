// SPDX-License-Identifier: Apache-2.0
// Logistic weights:  a_ij = sigma(e_ij), each key on its own
// Galassi, Lippi, Torroni 2021, section IV-C, arXiv:1902.02181
#include "catalogue/entry.h"

namespace attend::sigmoid_entry {
namespace {

Var build(const AlignmentIn& in) {         // scores [m n]
  const Var weights = sigmoid(in.scores);  // [m n]
  return in.mask ? weights * in.mask : weights;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, Row e) {
    for (std::size_t j = 0; j < e.size(); ++j) {
      // The logistic function by its other form, (1 + tanh(x / 2)) / 2.
      e[j] = in.allowed(i, j) ? 0.5 + 0.5 * std::tanh(e[j] / 2) : 0;
    }
    return e;
  });
}

extern const Mechanism record{.id = "sigmoid",
                              .aliases = {"logistic"},
                              .laws = {.rows_sum_to_one = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::sigmoid_entry
