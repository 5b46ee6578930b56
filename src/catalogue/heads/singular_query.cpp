// SPDX-License-Identifier: Apache-2.0
// One query a prediction: no heads
// Brauwers & Frasincar 2022, section 3.3.2, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend::singular_query_entry {
namespace {

// The weighted values of one set of weights, without any map of the result.
Arrays reference(const ReferenceIn& in) {
  return {{"context", weighted(in["weights"], in["value"])}};
}

}  // namespace

extern const Mechanism singular_query_record;
const Mechanism singular_query_record{
    .id = "singular-query", .coordinate = "singular", .behaviour = Heads{}};
extern const Reference singular_query_reference;
const Reference singular_query_reference{reference};
}  // namespace attend::singular_query_entry
