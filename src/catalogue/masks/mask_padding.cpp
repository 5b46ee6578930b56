// SPDX-License-Identifier: Apache-2.0
// Padding mask: keys from `length` on are not there
// Practice of Transformers (Vaswani et al. 2017, arXiv:1706.03762); the paper masks later positions only
#include "catalogue/entry.h"

namespace attend::mask_padding_entry {
namespace {

Var build(const MaskIn& in) {  // -> [n], the same for every row
  const Var column = in.columns();
  return greater(in.scalar("length"), column);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array mask({in["query"].rows(), in["key"].rows()}, 1);
  for (std::size_t i = 0; i < mask.rows(); ++i) {
    for (std::size_t j = in.integer("length"); j < mask.cols(); ++j) mask(i, j) = 0;
  }
  return {{"mask", mask}};
}

extern const Mechanism record{.id = "mask-padding",
                              .aliases = {"key-mask"},
                              .knobs = {integer_knob("length", "n", 0, 32).at_least(0)},
                              .laws = {.permutation = false},
                              .example = R"("length": 3)",
                              .behaviour = Mask{build}};
}  // namespace attend::mask_padding_entry
