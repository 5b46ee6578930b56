// SPDX-License-Identifier: Apache-2.0
// Segment recurrence: a segment sees itself and what the segment before it left, by relative places
//   e_ij = ((q_i + u) k_j^T + (q_i + v) (R_{i+M-j} W_R)^T) / sqrt(p),  keys [memory; x], j <= i + M
// Dai et al. 2019, section 3, arXiv:1901.02860
#include "catalogue/entry.h"
#include "catalogue/part_parameters.h"
#include "catalogue/parts/heads/relative.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"

namespace attend::transformer_xl_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [m d]
  const Looked seen =
      attend_segment(x, segment_memory(in, x, inputs.find("memory")), segment_maps(in));
  return {{out::scores, seen.scores, "m n"},
          {out::weights, seen.weights, "m n"},
          {out::result, seen.context, "m pv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const AttentionTables seen =
      segment_by_loops(in, in["x"], in.has("memory") ? &in["memory"] : nullptr);
  return {{"scores", seen.scores}, {"weights", seen.weights}, {"context", seen.context}};
}

extern const Mechanism record{.id = "transformer-xl",
                              .parameters = parameters_of<segment_parameters>,
                              .symbols = {{"p", "d"}, {"pv", "p"}},
                              .roles = {{"x", "m d"}, {"memory", "M d", false}},
                              .excludes = {always_causal},
                              .laws = {.permutation = false},
                              .coordinates = {{"scoring", "scaled multiplicative"},
                                              {"alignment", "global"},
                                              {"type", "self-attentive"}},
                              .extents = {{"M", 3}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::transformer_xl_entry
