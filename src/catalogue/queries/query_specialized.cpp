// SPDX-License-Identifier: Apache-2.0
// Specialised query: another module's rows ask, pooled or as they are:  q = mean_j o_j
// Brauwers & Frasincar 2022, section 3.3.1, arXiv:2203.14263
#include "catalogue/entry.h"

namespace attend::query_specialized_entry {
namespace {

Triple build(const QueryIn& in) {
  const Var other = in.need("other");  // [n2 dq]
  const std::string& pool = in.text("pool");
  Var q = other;
  if (pool == "mean") q = mean(other, -2, true);  // [1 dq]
  if (pool == "max") q = max(other, -2, true);
  if (pool == "last") q = row(other, other.extent(-2) - 1);
  if (pool == "none") in.label("m", in.port("other"));
  in.label("n", in.port("key"));
  return in.ready({let("Q", q), in.need("key"), in.port("value")});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& other = in["other"];
  const std::string& pool = in.text("pool");
  Array q = other;
  if (pool != "none") {
    q = Array({1, other.cols()});
    for (std::size_t c = 0; c < q.cols(); ++c) {
      q(c) = other(other.rows() - 1, c);
      double sum = 0;
      for (std::size_t i = 0; i < other.rows(); ++i) {
        sum += other(i, c);
        if (pool == "max" && other(i, c) > q(c)) q(c) = other(i, c);
      }
      if (pool == "mean") q(c) = sum / static_cast<double>(other.rows());
    }
  }
  return {{"query", q}, {"key", in["key"]}, {"value", in["value"]}};
}

extern const Mechanism record{
    .id = "query-specialized",
    .knobs = {choice_knob("pool", "mean", {"mean", "max", "last", "none"})},
    .roles = {{"other", "n2 dq"}, {"key", "n dk"}, {"value", "n dv", false, "key"}},
    .coordinate = "specialized",
    .extents = {{"n2", 3}},
    .behaviour = Query{build}};
}  // namespace attend::query_specialized_entry
