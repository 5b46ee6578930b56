// SPDX-License-Identifier: Apache-2.0
// One weight for a whole value row:  C = A V
// Brauwers & Frasincar 2022, equations 4 and 24, arXiv:2203.14263
#include "catalogue/entry.h"

namespace attend::single_dim_entry {

Arrays reference(const ReferenceIn& in) {
  return {{"context", product(in["weights"], in["value"])}};
}

extern const Mechanism record{.id = "single-dim",
                              .aliases = {"single"},
                              .coordinate = "single-dimensional",
                              .behaviour = Dimensionality{}};
}  // namespace attend::single_dim_entry
