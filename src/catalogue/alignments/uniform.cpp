// SPDX-License-Identifier: Apache-2.0
// Unweighted average:  a_ij = 1 / (number of keys that row i may attend to)
// Brauwers & Frasincar 2022, section 4.1, arXiv:2203.14263
#include "catalogue/entry.h"

namespace attend::uniform_entry {
namespace {

Var build(const AlignmentIn& in) {  // scores [m n], of which only the shape counts
  return softmax(zeros(in.graph(), in.scores.shape()), in.mask);  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, Row e) {
    const double count =
        sum_over(e.size(), [&](std::size_t j) { return in.allowed(i, j) ? 1 : 0; });
    for (std::size_t j = 0; j < e.size(); ++j) e[j] = in.allowed(i, j) ? 1 / count : 0;
    return e;
  });
}

extern const Mechanism record{
    .id = "uniform", .aliases = {"unweighted-average"}, .behaviour = Alignment{build}};
}  // namespace attend::uniform_entry
