// SPDX-License-Identifier: Apache-2.0
// Causal mask: row i sees keys j <= i
// Vaswani et al. 2017, section 3.2.3, arXiv:1706.03762
#include "catalogue/entry.h"

namespace attend::mask_causal_entry {
namespace {

Var build(const MaskIn& in) {
  return in.stated(greater(in.rows() + 1, in.columns()), causal_intent());  // [m n]
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array mask({in["query"].rows(), in["key"].rows()});
  for (std::size_t i = 0; i < mask.rows(); ++i) {
    for (std::size_t j = 0; j < mask.cols() && j <= i; ++j) mask(i, j) = 1;
  }
  return {{"mask", mask}};
}

extern const Mechanism record{.id = "mask-causal",
                              .aliases = {"look-ahead"},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_causal_entry
