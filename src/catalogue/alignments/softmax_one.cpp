// SPDX-License-Identifier: Apache-2.0
// Softmax off by one:  a_ij = exp(e_ij) / (c + sum_k exp(e_ik)); what is left of 1 goes to no key
// Miller 2023 (Attention Is Off By One), evanmiller.org/attention-is-off-by-one.html
#include "catalogue/entry.h"
#include "catalogue/parts/alignments/sinks.h"
#include "catalogue/result.h"

namespace attend::softmax_one_entry {
namespace {

// The score of an entry that counts 0: beside any key it has no weight.
constexpr double lowest = -3e38;

// An entry beside the scores that counts c, that is with the score ln c.
Var build(const AlignmentIn& in) {  // scores [m n]
  const Var c = in.scalar("extra"), open = greater(c, scalar(c, 0));
  const Var sink = where(open, log(where(open, c, scalar(c, 1))), scalar(c, lowest));
  return softmax_beside_sink(in, sink);  // [m n]
}

}  // namespace

// The quotient as it is written, with all exponentials divided by the largest.
Arrays reference(const ReferenceIn& in) {
  Array rest({in["scores"].rows()});
  Arrays out = each_row(in, [&](std::size_t i, Row e) {
    long double top = -1e300L, total = 0;
    for (std::size_t j = 0; j < e.size(); ++j)
      if (in.allowed(i, j)) top = std::max<long double>(top, e[j]);
    const long double c = in.number("extra");
    if (c > 0) top = std::max(top, std::log(c));
    for (std::size_t j = 0; j < e.size(); ++j) {
      e[j] = in.allowed(i, j) ? static_cast<double>(std::exp(e[j] - top)) : 0;
      total += e[j];
    }
    if (c > 0) total += std::exp(std::log(c) - top);
    rest(i) = 1;
    for (double& weight : e) rest(i) -= weight /= total > 0 ? static_cast<double>(total) : 1;
    return e;
  });
  out["remainder"] = rest;
  return out;
}

extern const Mechanism record{.id = "softmax-one",
                              .aliases = {"off-by-one", "quiet-softmax"},
                              .knobs = {number_knob("extra", 1., 0, 8).at_least(0)},
                              .laws = {.rows_sum_to_one = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::softmax_one_entry
