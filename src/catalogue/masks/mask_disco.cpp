// SPDX-License-Identifier: Apache-2.0
// DisCo: row i sees a subset of its own, drawn at random, that never holds i
// Kasai et al. 2020, the DisCo objective, arXiv:2001.05136
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend::mask_disco_entry {
namespace {

Var build(const MaskIn& in) {  // [m n]
  return in.param("random") * (1 - equal(in.rows(), in.columns()));
}

Arrays reference(const ReferenceIn& in) {
  const Array& random = in.parameter("random");
  return each_pair(in, [&](std::size_t i, std::size_t j) { return i != j && random(i, j) == 1; });
}

}  // namespace

extern const Mechanism mask_disco_record;
const Mechanism mask_disco_record{.id = "mask-disco",
                                  .parameters = {{"random", "m n", Distribution::bernoulli}},
                                  .laws = {.permutation = false},
                                  .behaviour = Mask{build}};
extern const Reference mask_disco_reference;
const Reference mask_disco_reference{reference};
}  // namespace attend::mask_disco_entry
