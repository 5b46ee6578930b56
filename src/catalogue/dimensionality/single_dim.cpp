// SPDX-License-Identifier: Apache-2.0
// One weight for a whole value row:  C = A V
// Brauwers & Frasincar 2022, equations 4 and 24, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Arrays reference(const ReferenceIn& in) {
  return {{"context", weighted(in["weights"], in["value"])}};
}

}  // namespace

namespace catalogue {
extern const Entry single_dim_entry;
const Entry single_dim_entry{.words = {.title = "Single-dimensional",
                                       .formula = R"(C_i = \sum_j a_{ij}\,v_j)",
                                       .sentence = "One weight scales all features of a value.",
                                       .source = {"Brauwers, Frasincar", 2022, "equations 4 and 24",
                                                  "https://arxiv.org/abs/2203.14263"}},
                             .record = {.id = "single-dim",
                                        .aliases = {"single"},
                                        .coordinate = "single-dimensional",
                                        .behaviour = Dimensionality{}},
                             .reference = reference};
}  // namespace catalogue
}  // namespace attend
