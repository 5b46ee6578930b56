// SPDX-License-Identifier: Apache-2.0
// Separate maps of keys and values:  K = F W_K,  V = F W_V
// Brauwers & Frasincar 2022, equation 1, arXiv:2203.14263. Daniluk et al. 2017 (arXiv:1702.04521) had the
// idea, and split one vector into key and value without maps.
#include "catalogue/entry.h"
#include "catalogue/reason.h"

namespace attend::key_value_split_entry {
namespace {

Triple build(const KeyIn& in, Triple rows) {  // [m dq] [n dk] [n dv]
  return {rows.q, let("K", matmul(rows.k, in.param("W_K"))),
          let("V", matmul(rows.v, in.param("value.W_V")))};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Arrays out;
  for (const auto& [name, map] : {std::pair{"key", "W_K"}, {"value", "value.W_V"}}) {
    const Array &rows = in[name], &W = in.parameter(map);
    Array y({rows.rows(), W.cols()});
    for (std::size_t i = 0; i < y.rows(); ++i) {
      y.set(mapped(rows.row(i), W), i);
    }
    out[name] = y;
  }
  return out;
}

extern const Mechanism record{
    .id = "key-value-split",
    .parameters = {{"W_K", "dk p"}, {"value.W_V", "dv pv"}},
    .symbols = {{"p", "dq"}, {"p", "dk"}, {"pv", "dv"}},
    .excludes = {{"query", {"self-attention"}, false, "self-attention-maps-both"_reason}},
    .behaviour = Key{build}};
}  // namespace attend::key_value_split_entry
