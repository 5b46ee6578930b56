// SPDX-License-Identifier: Apache-2.0
// Learned queries: r rows of parameters ask the keys
// Brauwers & Frasincar 2022, equation 34, arXiv:2203.14263;
// Lee et al. 2019 (Set Transformer), section 3.2
#include "catalogue/entry.h"

namespace attend::query_learned_entry {
namespace {

Triple build(const QueryIn& in) {
  const Var k = in.need("key");     // [n dk]
  const auto [q] = in.params<1>();  // [r dk]
  in.label("n", in.port("key"));
  return in.ready({q, k, in.port("value")});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return {{"query", in.parameter("query.q")},
          {"key", in["key"]},
          {"value", in.has("value") ? in["value"] : in["key"]}};
}

extern const Mechanism record{.id = "query-learned",
                              .aliases = {"seed-vector", "qm-learned"},
                              .parameters = {{"query.q", "r dk"}},
                              .knobs = {size_knob("rows", "r", 1., 1, 16)},
                              .roles = {{"key", "n dk"}, {"value", "n dv", false, "key"}},
                              .coordinate = "self-attentive",
                              .behaviour = Query{build}};
}  // namespace attend::query_learned_entry
