// SPDX-License-Identifier: Apache-2.0
// Diagonal mask: every key but the token itself
// Shen et al. 2018 (ReSAN), arXiv:1801.10296
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const MaskIn& in) { return 1 - equal(in.rows(), in.columns()); }  // [m n]

Arrays reference(const ReferenceIn& in) {
  return each_pair(in, [&](std::size_t i, std::size_t j) { return i != j; });
}

}  // namespace

namespace catalogue {
extern const Entry mask_diagonal_entry;
const Entry mask_diagonal_entry{
    .words = {.title = "No self",
              .formula = R"(M_{ij} = 1\ \text{iff}\ j \ne i)",
              .sentence = "A token sees every token but itself.",
              .source = {"Shen et al.", 2018, "reinforced self-attention",
                         "https://arxiv.org/abs/1801.10296"}},
    .record = {.id = "mask-diagonal",
               .aliases = {"no-self"},
               .laws = {.permutation = false},
               .behaviour = Mask{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
