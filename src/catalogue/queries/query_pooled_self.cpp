// SPDX-License-Identifier: Apache-2.0
// Query pooled from the module's own keys:  q = pool_j k_j
// Galassi, Lippi, Torroni 2021, section IV-A1, arXiv:1902.02181
#include "catalogue/entry.h"

namespace attend::query_pooled_self_entry {
namespace {

Triple build(const QueryIn& in) {
  const Var k = in.need("key");  // [n dk]
  const std::string& pool = in.text("pool");
  in.label("n", in.port("key"));
  const Var q = pool == "avg"   ? mean(k, -2, true)
                : pool == "max" ? max(k, -2, true)
                                : row(k, k.extent(-2) - 1);  // [1 dk]
  return in.ready({let("q", q), k, in.port("value")});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& k = in["key"];
  Array q({1, k.cols()});
  for (std::size_t c = 0; c < k.cols(); ++c) {
    double sum = 0, largest = k(0, c);
    for (std::size_t j = 0; j < k.rows(); ++j) {
      sum += k(j, c);
      if (k(j, c) > largest) largest = k(j, c);
    }
    q(c) = in.text("pool") == "avg"   ? sum / static_cast<double>(k.rows())
           : in.text("pool") == "max" ? largest
                                      : k(k.rows() - 1, c);
  }
  return {{"query", q}, {"key", k}, {"value", in["value"]}};
}

extern const Mechanism record{.id = "query-pooled-self",
                              .knobs = {choice_knob("pool", "avg", {"avg", "max", "last"})},
                              .roles = {{"key", "n dk"}, {"value", "n dv", false, "key"}},
                              .coordinate = "self-attentive",
                              .behaviour = Query{build}};
}  // namespace attend::query_pooled_self_entry
