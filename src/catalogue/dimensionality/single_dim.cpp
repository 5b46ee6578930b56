// SPDX-License-Identifier: Apache-2.0
// One weight for a whole value row:  C = A V
// Brauwers & Frasincar 2022, equations 4 and 24, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend::single_dim_entry {
namespace {

Arrays reference(const ReferenceIn& in) {
  return {{"context", weighted(in["weights"], in["value"])}};
}

}  // namespace

extern const Mechanism single_dim_record;
const Mechanism single_dim_record{.id = "single-dim",
                                  .aliases = {"single"},
                                  .coordinate = "single-dimensional",
                                  .behaviour = Dimensionality{}};
extern const Reference single_dim_reference;
const Reference single_dim_reference{reference};
}  // namespace attend::single_dim_entry
