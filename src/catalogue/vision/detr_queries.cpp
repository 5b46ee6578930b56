// SPDX-License-Identifier: Apache-2.0
// Object queries: N learned rows ask an encoded image, each for one object,
//   C = softmax(q K^T / sqrt(dk)) V
// Carion et al. 2020 (DETR), arXiv:2005.12872
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::detr_queries_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var k = inputs["key"], given = inputs.find("value");  // [n dk] [n dv]
  in.label("n", k);
  const Looked objects = attend_by_slots(in, {in.param("q"), k, given ? given : k});
  return {{out::scores, objects.scores, "r:query n"},
          {out::weights, objects.weights, "r:query n"},
          {out::result, objects.context, "r:query dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &k = in["key"], &value = in["value"];
  const AttentionTables objects = attended(in.parameter("q"), k, value);
  return {{"weights", objects.weights}, {"context", objects.context}};
}

extern const Mechanism record{
    .id = "detr-queries",
    .aliases = {"object-queries"},
    .parameters = {{"q", "N dk", Distribution::unit}},
    .knobs = {size_knob("N", "N", 4., 1, 100)},
    .roles = {{"key", "n dk"}, {"value", "n dv", false, "key"}},
    .slots = {own_score_slot, own_alignment_slot},
    .coordinates = {{"scoring", "scaled multiplicative"}, {"alignment", "global"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::detr_queries_entry
