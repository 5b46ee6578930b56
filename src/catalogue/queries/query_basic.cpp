// SPDX-License-Identifier: Apache-2.0
// Queries, keys and values as given
// Brauwers & Frasincar 2022, section 3.3.1, arXiv:2203.14263
#include "catalogue/entry.h"

namespace attend::query_basic_entry {
namespace {

Triple build(const QueryIn& in) {
  const Var q = in.port("query");  // [m dq]
  Var k = in.port("key");          // [n dk]
  if (!k) k = q ? q : in.need("key");
  in.label("m", in.port("query"));
  in.label("n", in.port("key") ? in.port("key") : in.port("query"));
  return in.ready({q, k, in.port("value")});  // [n dv]; without them the keys are the values
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& key = in.has("key") ? in["key"] : in["query"];
  return {{"query", in["query"]}, {"key", key}, {"value", in.has("value") ? in["value"] : key}};
}

extern const Mechanism record{.id = "query-basic",
                              .aliases = {"qm-decoder-state", "qm-aux"},
                              .roles = {{"query", "m dq", false},
                                        {"key", "n dk", false, "query"},
                                        {"value", "n dv", false, "key"}},
                              .coordinate = "basic",
                              .behaviour = Query{build}};
}  // namespace attend::query_basic_entry
