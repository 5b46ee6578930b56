// SPDX-License-Identifier: Apache-2.0
// Padding mask: keys from `length` on are not there
// Practice of Transformers (Vaswani et al. 2017, arXiv:1706.03762); the paper masks later positions only
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend::mask_padding_entry {
namespace {

Var build(const MaskIn& in) {  // -> [n], the same for every row
  const Var column = in.columns();
  return greater(in.scalar("length"), column);
}

Arrays reference(const ReferenceIn& in) {
  Array mask({in["query"].rows(), in["key"].rows()}, 1);
  for (std::size_t i = 0; i < mask.rows(); ++i) {
    for (auto j = static_cast<std::size_t>(in.number("length")); j < mask.cols(); ++j)
      mask(i, j) = 0;
  }
  return {{"mask", mask}};
}

}  // namespace

extern const Mechanism mask_padding_record;
const Mechanism mask_padding_record{.id = "mask-padding",
                                    .aliases = {"key-mask"},
                                    .knobs = {integer_knob("length", "n", 0, 32).at_least(0)},
                                    .laws = {.permutation = false},
                                    .example = R"("length": 3)",
                                    .behaviour = Mask{build}};
extern const Reference mask_padding_reference;
const Reference mask_padding_reference{reference};
}  // namespace attend::mask_padding_entry
