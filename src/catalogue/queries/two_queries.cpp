// SPDX-License-Identifier: Apache-2.0
// Two query vectors side by side:  q = [query; query2]
// Sordoni et al. 2016 (Iterative Alternating Neural Attention), arXiv:1606.02245;
// Galassi, Lippi, Torroni 2021, section II-B
#include "catalogue/entry.h"

namespace attend::two_queries_entry {
namespace {

Triple build(const QueryIn& in) {
  const Var first = in.need("query"), second = in.need("query2");  // [m dq] [m dq2]
  in.label("m", in.port("query"));
  in.label("n", in.port("key"));
  return in.ready({let("[q; q_2]", concat({first, second}, -1)), in.need("key"), in.port("value")});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &first = in["query"], &second = in["query2"];
  const Array q =
      table_by(first.rows(), first.cols() + second.cols(), [&](std::size_t i, std::size_t c) {
        return c < first.cols() ? first(i, c) : second(i, c - first.cols());
      });
  return {{"query", q}, {"key", in["key"]}, {"value", in["value"]}};
}

extern const Mechanism record{.id = "two-queries",
                              .roles = {{"query", "m dq"},
                                        {"query2", "m dq2"},
                                        {"key", "n dk"},
                                        {"value", "n dv", false, "key"}},
                              .beside = {{"score", "biased-general"}},
                              .coordinate = "basic",
                              .extents = {{"dq", 4}, {"dq2", 2}},
                              .behaviour = Query{build}};
}  // namespace attend::two_queries_entry
