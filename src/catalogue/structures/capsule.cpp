// SPDX-License-Identifier: Apache-2.0
// Capsule-based attention, a capsule for each class c:
//   e_cj = q_c . k_j,  C = softmax(E) V,  p_c = sigmoid(c_c . w_c + b_c),  r_c = p_c c_c
// Wang et al. 2018 (Sentiment analysis by capsules), doi:10.1145/3178876.3186015;
// Brauwers & Frasincar 2022, equations 43 to 45, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::capsule_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var key = inputs["key"], given = inputs.find("value");  // [n dk]
  const Var value = given ? given : key;                        // [n dv]
  const auto [q, w, b] = in.params<3>();                        // [c dk] [c dv] [1 c]
  in.label("n", key);
  const Var e = let("E", scores_by(in, {q, key, value},
                                   [&, &q = q] { return matmul(q, key, false, true); }));  // [c n]
  const Var a = let("A", weights_by(in, e, {q, key, value}));
  const Var context = let("C", matmul(a, value));  // [c dv]
  const Var p = let("p", sigmoid(sum(context * w, -1, true) + transpose(b)));
  return {{out::scores, e, "c n"},
          {out::weights, a, "c n"},
          {out::context, context, "c dv"},
          {"p", p, "c 1"},
          {out::output, let("R", p * context), "c dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &key = in["key"], &value = in.has("value") ? in["value"] : key;
  const AttentionTables seen = seen_by(dots(in.parameter("q"), key), value);
  const Array& context = seen.context;
  const Array p = table_by(context.rows(), 1, [&](std::size_t c, std::size_t) {
    const double logit = inner(context.row(c), in.parameter("w").row(c)) + in.parameter("b")(c);
    return (1 + std::tanh(logit / 2)) / 2;
  });
  Arrays out = results(seen);
  out["p"] = p;
  out["output"] = rows_by(p.rows(), [&](std::size_t c) { return times(context.row(c), p(c, 0)); });
  return out;
}

extern const Mechanism record{
    .id = "capsule",
    .aliases = {"capsules"},
    .parameters = {{"q", "c dk"}, {"w", "c dv"}, {"b", "c", Distribution::zero}},
    .knobs = {size_knob("classes", "c", 3., 1, 8)},
    .roles = {{"key", "n dk"}, {"value", "n dv", false, "key"}},
    .slots = {own_score_slot, own_alignment_slot},
    .coordinates = {{"scoring", "multiplicative"},
                    {"alignment", "global"},
                    {"type", "self-attentive"},
                    {"multiplicity", "capsule-based"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::capsule_entry
