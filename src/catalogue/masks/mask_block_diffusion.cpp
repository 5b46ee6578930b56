// SPDX-License-Identifier: Apache-2.0
// Block diffusion: rows 0..L-1 are a noised text, rows L..2L-1 the clean one, both in blocks. A row sees its own block
// on its own side; a noised row sees the clean blocks before its own, a clean row those up to its own
// Arriola et al. 2025 (BD3-LM), arXiv:2503.09573
#include "catalogue/entry.h"

namespace attend::mask_block_diffusion_entry {
namespace {

Var build(const MaskIn& in) {
  const std::size_t L = in.integer("length");
  const std::string path = in.choice.path + "/length";
  const std::string found = std::to_string(in.m) + " queries and " + std::to_string(in.n) + " keys";
  if (in.inputs.memory > 0)
    refuse("it pairs the two halves of one sequence, but here a memory precedes the sequence");
  if (in.m != in.n) refuse(path, "it pairs the halves of one sequence; found " + found);
  if (2 * L != in.n)
    refuse(path, "the rows are a noised text and then the clean text, each " + std::to_string(L) +
                     " long; found " + found +
                     "; use an even number of tokens, and set length to half of it");
  const double length = static_cast<double>(L), b = in.number("block");
  const Var i = in.rows(), j = in.columns();  // [m 1] [n]
  const auto is_clean = [&](Var x) { return greater(x, scalar(x, length - 0.5)); };
  const Var clean_i = is_clean(i), clean_j = is_clean(j);
  const Var block_i = floor((i - length * clean_i) / b),
            block_j = floor((j - length * clean_j) / b);
  const Var own = equal(block_i, block_j) * equal(clean_i, clean_j);  // [m n]
  const Var before = clean_j * greater(block_i, block_j);             // [m n]
  return in.stated(maximum(own, before), diffusion_intent(L, b));
}

}  // namespace

// The three parts of the paper's picture, one after another.
Arrays reference(const ReferenceIn& in) {
  const std::size_t L = in.integer("length"), b = in.integer("block");
  return each_pair(in, [&](std::size_t i, std::size_t j) {
    const bool noised_i = i < L, noised_j = j < L;
    const std::size_t of_i = i % L / b, of_j = j % L / b;
    const bool diagonal = of_i == of_j && noised_i == noised_j;
    const bool offset = of_i > of_j && !noised_j && noised_i;
    const bool causal = of_i >= of_j && !noised_j && !noised_i;
    return diagonal || offset || causal;
  });
}

extern const Mechanism record{.id = "mask-block-diffusion",
                              .aliases = {"bd3"},
                              .knobs = {integer_knob("length", "n/2", 1, 32).at_least(1),
                                        integer_knob("block", 4., 1, 32).at_least(1)},
                              .laws = {.permutation = false},
                              .example = R"("block": 4)",
                              .extents = {{"m", 20}, {"n", 20}},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_block_diffusion_entry
