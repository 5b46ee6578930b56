// SPDX-License-Identifier: Apache-2.0
// Glance and gaze: attention among every s-th token, plus a small convolution of the values,
//   C = softmax_{i mod s = j mod s}(Q K^T / sqrt(p)) V + depthwise_conv(V)
// Yu et al. 2021, arXiv:2106.02277
#include "catalogue/entry.h"
#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/causal_form.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::glance_gaze_entry {
namespace {

// Each column of v [n dv] by its own kernel [size dv], centred, zeros outside.
Var gazed(Var v, Var kernel) {
  const std::size_t n = v.extent(-2), d = v.extent(-1), size = kernel.extent(-2),
                    before = (size - 1) / 2, after = size - 1 - before;
  std::vector<Var> pieces{v};
  if (before > 0) pieces.insert(pieces.begin(), zeros(v.graph(), {before, d}));
  if (after > 0) pieces.push_back(zeros(v.graph(), {after, d}));
  const Var padded = pieces.size() == 1 ? v : concat(pieces, -2);  // [n+size-1 dv]
  Var all;
  for (std::size_t s = 0; s < size; ++s) {
    const Var term = slice(padded, -2, s, s + n) * row(kernel, s);
    all = all ? all + term : term;
  }
  return all;
}

Var rest(Var place, double stride) { return place - floor(place / stride) * stride; }

Tensors build(const Scope& in, const Tensors& inputs) {
  const Triple rows = own_rows(in, inputs);  // [n p] [n p] [n dv]
  const std::size_t n = rows.k.extent(-2);
  const double stride = in.number("stride");
  const Var mask = let("M", equal(rest(iota(in.graph(), n, 2), stride),
                                  rest(iota(in.graph(), n), stride)));  // [n n]
  const Looked glance = attend_by_slots(in, rows, mask);
  const Var gaze = let("G", gazed(rows.v, in.param("kernel")));  // [n dv]
  return {{out::scores, glance.scores, "m n"},
          {out::mask, mask, "m n"},
          {out::weights, glance.weights, "m n"},
          {"gaze", gaze, "m dv"},
          {out::result, let("C", glance.context + gaze), "m dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &v = in["value"], &kernel = in.parameter("kernel");
  const std::size_t stride = in.integer("stride");
  const AttentionTables glance = attended(q, in["key"], v, [&](std::size_t i, std::size_t j) {
    return (i + stride * q.rows() - j) % stride == 0;
  });
  Array gaze(v.shape);
  for (std::size_t i = 0; i < v.rows(); ++i) {
    for (std::size_t s = 0; s < kernel.rows(); ++s) {
      const std::size_t shifted = i + s, before = (kernel.rows() - 1) / 2;
      if (shifted < before || shifted - before >= v.rows()) continue;
      for (std::size_t c = 0; c < v.cols(); ++c)
        gaze(i, c) += kernel(s, c) * v(shifted - before, c);
    }
  }
  return {{"weights", glance.weights}, {"gaze", gaze}, {"context", plus(glance.context, gaze)}};
}

extern const Mechanism record{
    .id = "glance-gaze",
    .parameters = {{"kernel", "size dv"}},
    .knobs = {integer_knob("stride", 2., 1, 16).at_least(1), size_knob("size", "size", 3., 1, 9)},
    .roles = {{"query", "n p"}, {"key", "n p", false, "query"}, {"value", "n dv", false, "key"}},
    .slots = {own_score_slot, own_alignment_slot},
    .excludes = {never_causal("convolution-looks-to-both-sides"_reason)},
    .laws = {.permutation = false},
    .coordinates = {{"scoring", "scaled multiplicative"}, {"alignment", "local"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::glance_gaze_entry
