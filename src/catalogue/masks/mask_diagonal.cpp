// SPDX-License-Identifier: Apache-2.0
// Diagonal mask: every key but the token itself
// Shen et al. 2018 (ReSAN), arXiv:1801.10296
#include "catalogue/entry.h"

namespace attend::mask_diagonal_entry {
namespace {

Var build(const MaskIn& in) {
  return in.stated(1 - equal(in.rows(), in.columns()), others_intent());  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return each_pair(in, [&](std::size_t i, std::size_t j) { return i != j; });
}

extern const Mechanism record{.id = "mask-diagonal",
                              .aliases = {"no-self"},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_diagonal_entry
