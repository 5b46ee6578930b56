// SPDX-License-Identifier: Apache-2.0
// ReLU attention:  a_ij = max(0, e_ij)^power / n_i^alpha, n_i the number of keys that row i may attend to
// Wortsman et al. 2023, arXiv:2309.08586; the square: Hua et al. 2022, arXiv:2202.10447
#include "catalogue/entry.h"
#include "catalogue/parts/alignments/sinks.h"

namespace attend::relu_attention_entry {
namespace {

Var build(const AlignmentIn& in) {                    // scores [m n]
  const Var r = let("\\max(0, E)", relu(in.scores));  // [m n]
  const Var raised = in.integer("power") == 2 ? r * r : r;
  const Var weights = raised / power(allowed_keys(in), in.scalar("alpha"));  // [m n]
  return in.mask ? weights * in.mask : weights;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, Row e) {
    const double count =
        sum_over(e.size(), [&](std::size_t j) { return in.allowed(i, j) ? 1 : 0; });
    for (std::size_t j = 0; j < e.size(); ++j) {
      const bool some = in.allowed(i, j) && e[j] > 0;
      e[j] = some ? std::pow(e[j], in.number("power")) *
                        std::exp(-in.number("alpha") * std::log(count))
                  : 0;
    }
    return e;
  });
}

extern const Mechanism record{.id = "relu-attention",
                              .knobs = {integer_knob("power", 1., 1, 2).at_least(1).at_most(2.),
                                        number_knob("alpha", 1., 0, 1).at_least(0)},
                              .laws = {.rows_sum_to_one = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::relu_attention_entry
