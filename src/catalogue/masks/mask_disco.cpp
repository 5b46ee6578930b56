// SPDX-License-Identifier: Apache-2.0
// DisCo: row i sees a subset of its own, drawn at random, that never holds i
// Kasai et al. 2020, the DisCo objective, arXiv:2001.05136
#include "catalogue/entry.h"

namespace attend::mask_disco_entry {
namespace {

Var build(const MaskIn& in) {  // [m n]
  return in.param("random") * (1 - equal(in.rows(), in.columns()));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& random = in.parameter("random");
  return each_pair(in, [&](std::size_t i, std::size_t j) { return i != j && random(i, j) == 1; });
}

extern const Mechanism record{.id = "mask-disco",
                              .parameters = {{"random", "m n", Distribution::bernoulli}},
                              .laws = {.permutation = false},
                              .behaviour = Mask{build}};
}  // namespace attend::mask_disco_entry
