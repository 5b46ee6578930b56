// SPDX-License-Identifier: Apache-2.0
// Label-wise attention: each label l attends with its own query and has its own classifier
//   e_lj = q_l . k_j,  C = softmax(E) V,  y_l = c_l . w_l
// Mullenbach et al. 2018 (CAML), arXiv:1802.05695;
// Galassi, Lippi, Torroni 2021, section IV-D
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::label_wise_entry {
namespace {

Tensors build(const Scope& structure, const Tensors& inputs) {
  const Scope in = structure.sized();
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
  const Array &q = in.parameter("q"), &w = in.parameter("w");
  Array e({q.rows(), key.rows()}), a(e.shape), y({q.rows(), 1});
  for (std::size_t c = 0; c < q.rows(); ++c) {
    for (std::size_t j = 0; j < key.rows(); ++j) e(c, j) = inner(q.row(c), key.row(j));
    const Row weights = soft(e.row(c), [](std::size_t) { return true; });
    for (std::size_t j = 0; j < key.rows(); ++j) {
      a(c, j) = weights[j];
      y(c, 0) += weights[j] * inner(value.row(j), w.row(c));
    }
  }
  return {{"scores", e}, {"weights", a}, {"context", weighted(a, value)}, {"output", y}};
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
                              .behaviour = Structure{build}};
}  // namespace attend::label_wise_entry
