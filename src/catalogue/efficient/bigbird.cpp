// SPDX-License-Identifier: Apache-2.0
// BigBird: softmax attention over a window, the first g tokens (as rows and as columns) and keys
// drawn at random; window and global tokens are counted in blocks
// Zaheer et al. 2020, section 2, arXiv:2007.14062
#include <algorithm>

#include "catalogue/core_parts.h"
#include "catalogue/entry.h"

namespace attend {
namespace {

Weighing build(const CoreIn& in) {
  const double b = in.number("block");
  const Var i = floor(in.row_index() / b), j = floor(in.key_index() / b);  // [m 1] [n] blocks
  const Var gap = absolute(i - j);                                         // [m n]
  const Var window = greater(scalar(gap, in.number("window") + 0.5), gap);
  const Var first = scalar(gap, in.number("global") - 0.5);
  const Var global = maximum(greater(first, i), greater(first, j));
  return softmax_over(in, maximum(maximum(window, global), in.param("random")));
}

Arrays reference(const ReferenceIn& in) {
  const auto b = static_cast<std::size_t>(in.number("block"));
  const auto window = static_cast<std::size_t>(in.number("window"));
  const auto global = static_cast<std::size_t>(in.number("global"));
  const Array& random = in.parameter("random");
  return rows_of_weights(in, [&](std::size_t i) {
    return soft_row(in, i, [&](std::size_t j) {
      const std::size_t low = std::min(i, j) / b, high = std::max(i, j) / b;
      const bool seen = high - low <= window || low < global || random(i, j) == 1;
      return seen && (j <= i || !in.flag("causal"));
    });
  });
}

}  // namespace

namespace catalogue {
extern const Entry bigbird_entry;
const Entry bigbird_entry{
    .words =
        {.title = "BigBird",
         .formula =
             R"(A_{ij} \propto e^{q_i \cdot k_j/\sqrt{p}}\ \text{where}\ |\lfloor i/b \rfloor - \lfloor j/b \rfloor| \le w,\ \min(\lfloor i/b \rfloor, \lfloor j/b \rfloor) < g\ \text{or}\ j \in R_i)",
         .sentence =
             "A token attends to its neighbours, to the first g tokens, which attend to everyone "
             "themselves, and to some keys at random.",
         .note =
             "R_i are the keys drawn at random for token i. The window w and the global g count "
             "blocks of b tokens; a block is one token unless said otherwise.",
         .source = {"Zaheer et al.", 2020, "section 2", "https://arxiv.org/abs/2007.14062"}},
    .record = {.id = "bigbird",
               .aliases = {"big-bird"},
               .parameters = {{"random", "m n", Distribution::bernoulli}},
               .knobs = {integer_knob("window", "Places to each side w", 3., 0, 64).at_least(0),
                         integer_knob("global", "Global tokens g", 2., 0, 32).at_least(0),
                         integer_knob("block", "Tokens in a block", 1., 1, 64).at_least(1),
                         flag_knob("causal", "Causal", false)},
               .roles = core_roles,
               .laws = {.permutation = false},
               .coordinates = {{"alignment", "local"}},
               .example = R"("window": 1, "global": 1)",
               .behaviour = Core{.build = build, .masks = causal_mask}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
