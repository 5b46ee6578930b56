// SPDX-License-Identifier: Apache-2.0
// Softmax alignment:  a_ij = exp(e_ij) / sum_k exp(e_ik)
// Bahdanau, Cho, Bengio 2015, equation 6, arXiv:1409.0473; Brauwers & Frasincar 2022, equation 25
#include "catalogue/entry.h"

namespace attend::softmax_entry {
namespace {

Var build(const AlignmentIn& in) { return softmax(in.scores, in.mask); }  // [m n]

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, const Row& e) {
    return soft(e, [&](std::size_t j) { return in.allowed(i, j); });
  });
}

extern const Mechanism record{.id = "softmax",
                              .aliases = {"soft", "global"},
                              .coordinate = "global",
                              .behaviour = Alignment{build}};
}  // namespace attend::softmax_entry
