// SPDX-License-Identifier: Apache-2.0
// BigBird: a window, the first g tokens (as rows and as columns), and keys drawn at random; window
// and global tokens are counted in blocks
// Zaheer et al. 2020, section 2, arXiv:2007.14062
#include <algorithm>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const MaskIn& in) {
  const double b = in.number("block");
  const Var i = floor(in.rows() / b), j = floor(in.columns() / b);  // [m 1] [n] blocks
  const Var gap = absolute(i - j);                                  // [m n]
  const Var window = greater(scalar(gap, in.number("window") + 0.5), gap);
  const Var first = scalar(gap, in.number("global") - 0.5);
  const Var global = maximum(greater(first, i), greater(first, j));
  return maximum(maximum(window, global), in.param("random"));
}

Arrays reference(const ReferenceIn& in) {
  const auto b = static_cast<std::size_t>(in.number("block"));
  const auto window = static_cast<std::size_t>(in.number("window"));
  const auto global = static_cast<std::size_t>(in.number("global"));
  const Array& random = in.parameter("random");
  return each_pair(in, [&](std::size_t i, std::size_t j) {
    const std::size_t low = std::min(i, j) / b, high = std::max(i, j) / b;
    return high - low <= window || low < global || random(i, j) == 1;
  });
}

}  // namespace

namespace catalogue {
extern const Entry mask_bigbird_entry;
const Entry mask_bigbird_entry{
    .words =
        {.title = "BigBird",
         .formula =
             R"(M_{ij} = 1\ \text{iff}\ |\lfloor i/b \rfloor - \lfloor j/b \rfloor| \le w\ \text{or}\ \min(\lfloor i/b \rfloor, \lfloor j/b \rfloor) < g\ \text{or}\ j \in R_i)",
         .sentence =
             "A token sees its neighbours, the first g tokens, which see everyone themselves, and some "
             "keys at random.",
         .note =
             "R_i are the keys drawn at random for token i. The window w and the global g count "
             "blocks of b tokens; a block is one token unless said otherwise.",
         .source = {"Zaheer et al.", 2020, "section 2", "https://arxiv.org/abs/2007.14062"}},
    .record = {.id = "mask-bigbird",
               .parameters = {{"random", "m n", Distribution::bernoulli}},
               .knobs = {integer_knob("window", "Places to each side w", 3., 0, 32).at_least(0),
                         integer_knob("global", "Global tokens g", 2., 0, 32).at_least(0),
                         integer_knob("block", "Tokens in a block", 1., 1, 32).at_least(1)},
               .laws = {.permutation = false},
               .behaviour = Mask{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
