// SPDX-License-Identifier: Apache-2.0
// Local blocks: row i in query block c = floor(i / l_q) sees keys c l_q - l_m <= j <= i
// Parmar et al. 2018 (Image Transformer), 1D local attention, arXiv:1802.05751
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const MaskIn& in) {
  const double length = in.number("l_q"), memory = in.number("l_m");
  const Var start = floor(in.rows() / length) * length;         // [m 1]
  const Var after = greater(in.columns() + 1, start - memory);  // [m n] j >= start - l_m
  return after * greater(in.rows() + 1, in.columns());
}

Arrays reference(const ReferenceIn& in) {
  const auto length = static_cast<std::size_t>(in.number("l_q"));
  const auto memory = static_cast<std::size_t>(in.number("l_m"));
  return each_pair(
      in, [&](std::size_t i, std::size_t j) { return j <= i && j + memory >= i - i % length; });
}

}  // namespace

namespace catalogue {
extern const Entry mask_block_local_entry;
const Entry mask_block_local_entry{
    .words =
        {.title = "Local blocks",
         .formula = R"(M_{ij} = 1\ \text{iff}\ l_q\lfloor i/l_q \rfloor - l_m \le j \le i)",
         .sentence =
             "Queries come in blocks of l_q tokens; each sees what came before it in its block and the "
             "l_m tokens in front of the block.",
         .source = {"Parmar et al.", 2018, "local self-attention",
                    "https://arxiv.org/abs/1802.05751"}},
    .record = {.id = "mask-block-local",
               .knobs = {integer_knob("l_q", "Tokens in a query block", 4., 1, 32).at_least(1),
                         integer_knob("l_m", "Tokens of memory before it", 4., 0, 32).at_least(0)},
               .laws = {.permutation = false},
               .behaviour = Mask{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
