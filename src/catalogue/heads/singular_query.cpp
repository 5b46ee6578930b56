// SPDX-License-Identifier: Apache-2.0
// One query a prediction: no heads
// Brauwers & Frasincar 2022, section 3.3.2, arXiv:2203.14263
#include "catalogue/entry.h"

namespace attend::singular_query_entry {

// The weighted values of one set of weights, without any map of the result.
Arrays reference(const ReferenceIn& in) {
  return {{"context", product(in["weights"], in["value"])}};
}

extern const Mechanism record{
    .id = "singular-query", .coordinate = "singular", .behaviour = Heads{}};
}  // namespace attend::singular_query_entry
