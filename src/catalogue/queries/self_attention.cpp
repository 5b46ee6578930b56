// SPDX-License-Identifier: Apache-2.0
// Self-attention:  Q = X W_Q,  K = X W_K,  V = X W_V
// Vaswani et al. 2017, section 3.2, arXiv:1706.03762; Brauwers & Frasincar 2022, equations 1 and 35
#include "catalogue/entry.h"

namespace attend::self_attention_entry {
namespace {

Triple build(const QueryIn& in) {
  const Var x = in.need("x");  // [n df]
  const Triple rows = in.ready({x, x, x});
  in.label("m", in.port("x"));
  in.label("n", in.port("x"));
  if (in.projected_by_heads) return rows;                   // the heads' own matrices project
  return {let("Q", matmul(rows.q, in.param("query.W_Q"))),  // [n dq]
          let("K", matmul(rows.k, in.param("key.W_K"))),    // [n dk]
          let("V", matmul(rows.v, in.param("value.W_V"))),  // [n dv]
          rows.memory};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Arrays out;
  for (const auto& [name, map] :
       {std::pair{"query", "query.W_Q"}, {"key", "key.W_K"}, {"value", "value.W_V"}}) {
    Array y({in["x"].rows(), in.parameter(map).cols()});
    for (std::size_t i = 0; i < y.rows(); ++i) {
      y.set(mapped(in["x"].row(i), in.parameter(map)), i);
    }
    out[name] = y;
  }
  return out;
}

extern const Mechanism record{
    .id = "self-attention",
    .aliases = {"self", "intra-attention", "qm-self"},
    .parameters = {{"query.W_Q", "df dq"}, {"key.W_K", "df dk"}, {"value.W_V", "df dv"}},
    .symbols = {{"dq", "dk"}, {"dq", "df"}, {"dk", "dq"}, {"dv", "df"}},
    .roles = {{"x", "n df"}},
    .coordinate = "self-attentive",
    .behaviour = Query{build}};
}  // namespace attend::self_attention_entry
