// SPDX-License-Identifier: Apache-2.0
// One query a prediction: no heads
// Brauwers & Frasincar 2022, section 3.3.2, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

// The weighted values of one set of weights, without any map of the result.
Arrays reference(const ReferenceIn& in) {
  return {{"context", weighted(in["weights"], in["value"])}};
}

}  // namespace

namespace catalogue {
extern const Entry singular_query_entry;
const Entry singular_query_entry{
    .words = {.title = "Singular",
              .formula = R"(c = \sum_j a_j v_j)",
              .sentence =
                  "For each prediction there is one query, one row of weights and one context.",
              .source = {"Brauwers, Frasincar", 2022, "section 3.3.2",
                         "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "singular-query", .coordinate = "singular", .behaviour = Heads{}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
