// SPDX-License-Identifier: Apache-2.0
// Label-wise attention: each label l attends with its own query and has its own classifier
//   e_lj = q_l . k_j,  C = softmax(E) V,  y_l = c_l . w_l
// Mullenbach et al. 2018 (CAML), arXiv:1802.05695;
// Galassi, Lippi, Torroni 2021, section IV-D
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::label_wise_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var key = inputs["key"], given = inputs.find("value");  // [n dk]
  const Var value = given ? given : key;                        // [n dv]
  const auto [q, w] = in.params<2>();                           // [c dk] [c dv]
  in.label("n", key);
  const Var e = let("E", scores_by(in, {q, key, value},
                                   [&, &q = q] { return matmul(q, key, false, true); }));  // [c n]
  const Var a = let("A", weights_by(in, e, {q, key, value}));
  const Var context = let("C", matmul(a, value));  // [c dv]
  return {{out::scores, e, "c n"},
          {out::weights, a, "c n"},
          {out::context, context, "c dv"},
          {out::output, let("\\hat{y}", sum(context * w, -1, true)), "c 1"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &key = in["key"], &value = in.has("value") ? in["value"] : key;
  const AttentionTables seen = seen_by(dots(in.parameter("q"), key), value);
  Arrays out = results(seen);
  out["output"] = table_by(seen.context.rows(), 1, [&](std::size_t c, std::size_t) {
    return inner(seen.context.row(c), in.parameter("w").row(c));
  });
  return out;
}

extern const Mechanism record{.id = "label-wise",
                              .aliases = {"labelwise"},
                              .parameters = {{"q", "c dk"}, {"w", "c dv"}},
                              .knobs = {size_knob("labels", "c", 4., 1, 16)},
                              .roles = {{"key", "n dk"}, {"value", "n dv", false, "key"}},
                              .slots = {own_score_slot, own_alignment_slot},
                              .coordinates = {{"scoring", "multiplicative"},
                                              {"alignment", "global"},
                                              {"type", "self-attentive"}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::label_wise_entry
