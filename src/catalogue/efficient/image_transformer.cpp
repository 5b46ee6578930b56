// SPDX-License-Identifier: Apache-2.0
// Local self-attention over a line of pixels: blocks of l_q queries, each with l_m places before
// its block,  j in [c l_q - l_m, i],  c = floor(i / l_q);  softmax(Q K^T / sqrt(p)) V
// Parmar et al. 2018 (Image Transformer), local 1D attention, arXiv:1802.05751
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::image_transformer_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Triple rows = own_rows(in, inputs);  // [m p] [n p] [n dv]
  const std::size_t m = rows.q.extent(-2), n = rows.k.extent(-2);
  const double block = in.number("l_q"), memory = in.number("l_m");
  const Var i = iota(in.graph(), m, 2), j = iota(in.graph(), n);
  const Var start = floor(i / block) * block - memory;  // [m 1]
  const Var recent = stated(greater(j, start - 1), recent_intent(block, memory));
  const Var mask = let("M", recent * stated(greater(i + 1, j), causal_intent()));  // [m n]
  const Looked local = attend_by_slots(in, rows, mask);
  return {{out::scores, local.scores, "m n"},
          {out::mask, mask, "m n"},
          {out::weights, local.weights, "m n"},
          {out::result, local.context, "m dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& q = in["query"];
  const auto block = static_cast<long>(in.number("l_q")),
             memory = static_cast<long>(in.number("l_m"));
  const AttentionTables local =
      attended(q, in["key"], in["value"], [&](std::size_t row, std::size_t column) {
        const long i = static_cast<long>(row), j = static_cast<long>(column);
        return j <= i && j >= i - i % block - memory;
      });
  return {{"scores", local.scores}, {"weights", local.weights}, {"context", local.context}};
}

extern const Mechanism record{
    .id = "image-transformer",
    .knobs = {integer_knob("l_q", 4., 1, 64).at_least(1),
              integer_knob("l_m", 2., 0, 64).at_least(0)},
    .roles = {{"query", "m p"}, {"key", "n p", false, "query"}, {"value", "n dv", false, "key"}},
    .slots = {own_score_slot, own_alignment_slot},
    .excludes = {always_causal},
    .laws = {.permutation = false},
    .coordinates = {{"scoring", "scaled multiplicative"}, {"alignment", "local"}},
    .extents = {{"m", 7}, {"n", 7}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::image_transformer_entry
