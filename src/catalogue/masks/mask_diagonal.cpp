// SPDX-License-Identifier: Apache-2.0
// Diagonal mask: every key but the token itself
// Shen et al. 2018 (ReSAN), arXiv:1801.10296
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend::mask_diagonal_entry {
namespace {

Var build(const MaskIn& in) {
  return in.stated(1 - equal(in.rows(), in.columns()), others_intent());  // [m n]
}

Arrays reference(const ReferenceIn& in) {
  return each_pair(in, [&](std::size_t i, std::size_t j) { return i != j; });
}

}  // namespace

extern const Mechanism mask_diagonal_record;
const Mechanism mask_diagonal_record{.id = "mask-diagonal",
                                     .aliases = {"no-self"},
                                     .laws = {.permutation = false},
                                     .behaviour = Mask{build}};
extern const Reference mask_diagonal_reference;
const Reference mask_diagonal_reference{reference};
}  // namespace attend::mask_diagonal_entry
