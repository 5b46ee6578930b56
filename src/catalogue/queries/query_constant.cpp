// SPDX-License-Identifier: Apache-2.0
// No query, or a constant one: the scores depend on the keys alone, one context a sequence
// Brauwers & Frasincar 2022, section 3.3.1 and equation 33, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Triple build(const QueryIn& in) {
  in.label("n", in.port("key"));
  return in.ready({{}, in.need("key"), in.port("value")});
}

Arrays reference(const ReferenceIn& in) { return {{"key", in["key"]}, {"value", in["value"]}}; }

}  // namespace

namespace catalogue {
extern const Entry query_constant_entry;
const Entry query_constant_entry{
    .words = {.title = "None (constant)",
              .formula = R"(e_j = \operatorname{act}(k_j W + b)\cdot w)",
              .sentence =
                  "Nobody asks: the keys score themselves, and one context sums up the sequence.",
              .source = {"Brauwers, Frasincar", 2022, "equation 33",
                         "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "query-constant",
               .aliases = {"query-none", "none"},
               .roles = {{"key", "n dk"}, {"value", "n dv", false, "key"}},
               .drops_query = true,
               .beside = {{"score", "self-additive"}},
               .coordinate = "self-attentive",
               .behaviour = Query{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
