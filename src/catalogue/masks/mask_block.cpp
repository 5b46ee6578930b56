// SPDX-License-Identifier: Apache-2.0
// Blocks: row i sees the keys of its own block of b tokens
// Shen et al. 2018 (Bi-BloSAN), section 3.1, arXiv:1804.00857
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const MaskIn& in) {
  const double b = in.number("block");
  return equal(floor(in.rows() / b), floor(in.columns() / b));  // [m n]
}

Arrays reference(const ReferenceIn& in) {
  const auto b = static_cast<std::size_t>(in.number("block"));
  return each_pair(in, [&](std::size_t i, std::size_t j) { return i / b == j / b; });
}

}  // namespace

namespace catalogue {
extern const Entry mask_block_entry;
const Entry mask_block_entry{
    .words = {.title = "Blocks",
              .formula = R"(M_{ij} = 1\ \text{iff}\ \lfloor i/b \rfloor = \lfloor j/b \rfloor)",
              .sentence =
                  "The sequence is cut into blocks of b tokens; a token sees only its own block.",
              .source = {"Shen et al.", 2018, "section 3.1", "https://arxiv.org/abs/1804.00857"}},
    .record = {.id = "mask-block",
               .aliases = {"block-diagonal"},
               .knobs = {integer_knob("block", "Tokens in a block b", 4., 1, 32).at_least(1)},
               .laws = {.permutation = false},
               .behaviour = Mask{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
