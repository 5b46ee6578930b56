// SPDX-License-Identifier: Apache-2.0
// Score with a composite query:  e_ij = score([q_i; c_i], k_j)
// Brauwers & Frasincar 2022, equation 42, arXiv:2203.14263
#include "catalogue/entry.h"

namespace attend::concat_query_score_entry {
namespace {

// [q; c], the rows of `extra` behind the query's.
Var composite(const ScoreIn& in) {
  const Var extra = in.rows_of(in.need("extra"));
  Shape shape = in.q.shape();
  shape.back() = extra.extent(-1);
  return let("[Q; C]", concat({in.q, broadcast_to(extra, shape)}, -1));  // [m dq+dc]
}

Var build(const ScoreIn& in) {  // q [m dq]  k [n dk]
  const Var q = composite(in);
  const Var e = in.base(q);
  const std::size_t rows = e.extent(-2);
  if (rows == 1 || rows == q.extent(-2)) return e;  // [m n]
  refuse("the score in \"base\" gives " + std::to_string(rows) + " rows, but there are " +
         std::to_string(q.extent(-2)) + " queries");
}

const Score& base_of(const Scope& in) {
  return std::get<Score>(in.choice.in("base")->mechanism->behaviour);
}

Scope enter_base(const Scope& in) {
  Dimensions d;
  for (const char* symbol : {"m", "n", "dk", "dv"}) d.set(symbol, *in.dimensions.get(symbol));
  d.set("dq", *in.dimensions.get("dq") + in.need("extra").extent(-1));
  return in.assembler.enter(*in.choice.in("base"), d, in.family);
}

// What the base rules out and what it ends with, if it does.
Var mask(const MaskIn& in) {
  const auto own = base_of(in).mask;
  return own == nullptr ? Var{} : own({enter_base(in), in.m, in.n, in.inputs, in.one_row});
}
Var state(const ScoreIn& in) {
  const auto own = base_of(in).state;
  return own == nullptr ? Var{} : own({enter_base(in), in.q, in.k, in.v, in.rows});
}

}  // namespace

// The additive base.
Arrays reference(const ReferenceIn& in) {
  const Array &extra = in["extra"], &q = in["query"];
  const Array asks = product(beside({q, extra}), in.parameter("base.W1"));
  const Array keys = affine(in["key"], in.parameter("base.W2"), in.parameter("base.b"));
  return {{"scores", additive_scores(asks, keys, in.parameter("base.w"))}};
}

extern const Mechanism record{
    .id = "concat-query-score",
    .roles = {{"extra", "m dc | 1 dc"}},
    .slots = {{.name = "base", .kind = Kind::score, .fallback = "additive"}},
    .behaviour = Score{.build = build, .mask = mask, .state = state}};
}  // namespace attend::concat_query_score_entry
