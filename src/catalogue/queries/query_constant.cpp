// SPDX-License-Identifier: Apache-2.0
// No query, or a constant one: the scores depend on the keys alone, one context a sequence
// Brauwers & Frasincar 2022, section 3.3.1 and equation 33, arXiv:2203.14263
#include "catalogue/entry.h"

namespace attend::query_constant_entry {
namespace {

Triple build(const QueryIn& in) {
  in.label("n", in.port("key"));
  return in.ready({{}, in.need("key"), in.port("value")});
}

}  // namespace

Arrays reference(const ReferenceIn& in) { return {{"key", in["key"]}, {"value", in["value"]}}; }

extern const Mechanism record{.id = "query-constant",
                              .aliases = {"query-none", "none"},
                              .roles = {{"key", "n dk"}, {"value", "n dv", false, "key"}},
                              .drops_query = true,
                              .beside = {{"score", "self-additive"}},
                              .coordinate = "self-attentive",
                              .behaviour = Query{build}};
}  // namespace attend::query_constant_entry
